"""How dark thin lines are: a page of lines and bars of 0 to 1 point, and what of each is left in a picture.

The contrast of a line is how far its darkest pixel is from white. Each kind and width is drawn at eight distances from
the edges of pixels, and the darkest counts.
"""

import numpy

from sidebyside.synthetic_inputs import Sheet, document

from .pages import Page

WIDTHS = [0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1]
KINDS = ["horizontal", "vertical", "slanted", "dashed", "bars"]
SIZES = [("thumbnail", 256), ("page", 48), ("page", 96), ("page", 192)]
# Of the place that a kind has for a width, in points.
COLUMN, ROW = 72, 180
# Multiples of it lie evenly between whole numbers, at any scale.
GOLDEN = 0.618034
# How far apart the places of lines are at most, apart from whole distances, in points: a pixel of the smallest picture.
PHASES = 3.5


def page(path):
    """Writes the page: a column for each width, a row for each kind."""
    content = [line for row, kind in enumerate(KINDS) for column, width in enumerate(WIDTHS)
               for line in lines(kind, width, column * COLUMN, row * ROW)]
    size = (0, 0, len(WIDTHS) * COLUMN, len(KINDS) * ROW)
    path.write_bytes(document([Sheet(size, "\n".join(content))]))
    return Page("lines", "lines", path, 1)


def lines(kind, width, left, bottom):
    yield f"{width} w {'[6 6]' if kind == 'dashed' else '[]'} 0 d"
    for number in range(8):
        phase = PHASES * (number * GOLDEN % 1)
        x, y = left + 6 + number % 4 * 16 + phase, bottom + 10 + number * 18 + phase
        if kind == "vertical":
            # Two rows of four.
            start = bottom + 8 + number // 4 * 86
            yield f"{x:.3f} {start} m {x:.3f} {start + 78} l S"
        elif kind == "bars":
            yield f"{left + 6} {y - width / 2:.3f} 60 {width} re f"
        else:
            rise = 17.3 if kind == "slanted" else 0
            yield f"{left + 6} {y:.3f} m {left + 66} {y + rise:.3f} l S"


def rows(everyone, chosen):
    """A row for each kind and size: the contrast that each program gives each width."""
    for kind, value in SIZES:
        pictures = {program.name: getattr(program, kind)(chosen, value) for program in everyone}
        for place, name in enumerate(KINDS):
            row = {"kind": name, "size": f"{value} {'px' if kind == 'thumbnail' else 'dpi'}"}
            row |= {program: contrasts(picture, place) for program, picture in pictures.items()}
            yield row


def contrasts(picture, place):
    """Of each width, in gray levels."""
    height, width = picture.shape
    bottom, top = (round(height - edge * height / len(KINDS)) for edge in (place, place + 1))
    edges = [round(column * width / len(WIDTHS)) for column in range(len(WIDTHS) + 1)]
    return [int(numpy.ceil(255 - picture[top:bottom, left:right].min())) for left, right in zip(edges, edges[1:])]
