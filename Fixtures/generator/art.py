"""What the test pages look like: a tint, a ruled frame, a marked corner, a number, a caption.

Made to be told apart at a glance and to give away any mistake: the tinted triangle sits in the top
left corner as displayed, the ticks are ten points apart and start at that corner, and the frame
runs along the very edge of the box that ought to be visible.
"""

import colorsys

from .strokes import centred, width


def tone(number, saturation, value):
    """An RGB colour of page `number`; neighbours lie far apart on the colour wheel."""
    rgb = colorsys.hsv_to_rgb((0.58 + number * 0.381966) % 1, saturation, value)
    return " ".join(f"{c:.3f}" for c in rgb)


def turned(rotation, box):
    """The matrix that makes content stand upright once /Rotate has turned it, and its box.

    /Rotate turns clockwise. The content is then written for a box at the origin.
    """
    x, y, right, top = box
    w, h = right - x, top - y
    matrix, size = {
        0: ((1, 0, 0, 1, x, y), (w, h)),
        90: ((0, 1, -1, 0, right, y), (h, w)),
        180: ((-1, 0, 0, -1, right, top), (w, h)),
        270: ((0, -1, 1, 0, x, top), (h, w)),
    }[rotation % 360]
    return " ".join(f"{v:g}" for v in matrix) + " cm\n", (0, 0, *size)


def ticks(box, unit):
    """Rulers along the top and the left edge, every tenth tick longer."""
    x, y, right, top = box
    out = []
    for i in range(1, int((right - x) / (10 * unit))):
        length = (8 if i % 10 == 0 else 4) * unit
        out.append(f"{x + i * 10 * unit:g} {top:g} m {x + i * 10 * unit:g} {top - length:g} l")
    for i in range(1, int((top - y) / (10 * unit))):
        length = (8 if i % 10 == 0 else 4) * unit
        out.append(f"{x:g} {top - i * 10 * unit:g} m {x + length:g} {top - i * 10 * unit:g} l")
    return " ".join(out)


def page(box, number, caption="", unit=1, rotation=0):
    """The content of page `number`, drawn to fill `box`; `unit` scales ticks and lines."""
    matrix, box = turned(rotation, box) if rotation else ("", box)
    x, y, right, top = box
    w, h = right - x, top - y
    short = min(w, h)
    cx, cy = x + w / 2, y + h / 2
    ink, pale, deep = tone(number, 0.75, 0.42), tone(number, 0.1, 0.99), tone(number, 0.55, 0.8)
    out = [f"q\n{matrix}{pale} rg {x:g} {y:g} {w:g} {h:g} re f\n"]
    corner = short * 0.18
    out.append(f"{deep} rg {x:g} {top:g} m {x + corner:g} {top:g} l {x:g} {top - corner:g} l f\n")
    out.append(f"{deep} RG {0.5 * unit:g} w {ticks(box, unit)} S\n")
    out.append(f"{2 * unit:g} w {x + unit:g} {y + unit:g} {w - 2 * unit:g} {h - 2 * unit:g} re S\n")
    digits = str(number)
    size = short * (0.34 if len(digits) < 3 else 0.68 / len(digits))
    out.append(centred(digits, cx, cy - size * 0.4, size, colour=ink))
    if caption:
        small = min(short * 0.05, w * 0.8 * short * 0.05 / width(caption, short * 0.05))
        out.append(centred(caption, cx, y + h * 0.12, small, colour=ink, weight=0.15))
    return "".join(out) + "Q\n"
