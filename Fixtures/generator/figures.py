"""The drawings of book.pdf: lines, circles and rectangles on a cairo context, y down."""

import math

INK = (0.13, 0.12, 0.11)
RED = (0.66, 0.20, 0.13)
BLUE = (0.16, 0.31, 0.45)
PALE = (0.93, 0.89, 0.81)


def rosette(context, x, y, radius, petals=48):
    """Circles turned about a centre, in two sizes and two inks."""
    context.set_line_width(0.4)
    for ink, size, count in ((BLUE, 0.5, petals), (RED, 0.29, petals // 2)):
        context.set_source_rgb(*ink)
        for i in range(count):
            angle = 2 * math.pi * i / count
            context.new_sub_path()
            at = radius * size
            context.arc(x + at * math.cos(angle), y + at * math.sin(angle), at, 0, 2 * math.pi)
        context.stroke()
    for ring in (1.0, 1.03):
        context.arc(x, y, radius * ring, 0, 2 * math.pi)
        context.set_source_rgb(*BLUE)
        context.stroke()


def fleuron(context, x, y, size):
    """A small ornament: four leaves and a dot."""
    context.set_source_rgb(*RED)
    for quarter in range(4):
        context.save()
        context.translate(x, y)
        context.rotate(quarter * math.pi / 2 + math.pi / 4)
        context.move_to(size * 0.15, 0)
        context.curve_to(size * 0.4, -size * 0.45, size * 0.8, -size * 0.3, size, 0)
        context.curve_to(size * 0.8, size * 0.3, size * 0.4, size * 0.45, size * 0.15, 0)
        context.fill()
        context.restore()
    context.arc(x, y, size * 0.12, 0, 2 * math.pi)
    context.fill()


def lines(context, *segments):
    for x0, y0, x1, y1 in segments:
        context.move_to(x0, y0)
        context.line_to(x1, y1)
    context.stroke()


def canon(context, x, y, width, height):
    """A spread with the diagonals that find its text block; (x, y) is the top left corner."""
    half = width / 2
    context.set_source_rgb(*PALE)
    context.rectangle(x, y, width, height)
    context.fill()
    context.set_source_rgba(*BLUE, 0.25)
    for left in (x + half * 2 / 9, x + half + half / 9):
        context.rectangle(left, y + height / 9, half * 6 / 9, height * 6 / 9)
        context.fill()
    context.set_line_width(0.5)
    context.set_source_rgb(*RED)
    bottom, right, fold = y + height, x + width, x + half
    lines(context, (x, bottom, right, y), (x, y, right, bottom))
    lines(context, (x, bottom, fold, y), (right, bottom, fold, y))
    upper_left, upper_right = x + width / 3, x + width * 2 / 3
    third = y + height / 3
    lines(context, (upper_left, third, upper_left, y), (upper_left, y, upper_right, third))
    lines(context, (upper_right, third, upper_right, y), (upper_right, y, upper_left, third))
    context.set_source_rgb(*INK)
    context.set_line_width(0.8)
    context.rectangle(x, y, width, height)
    context.stroke()
    lines(context, (fold, y, fold, bottom))


def sheets(context, setter, x, y, width):
    """A0 halved until A8, landscape; returns the height."""
    w, h = width, width / math.sqrt(2)
    total = h
    context.set_line_width(0.7)
    for i in range(1, 9):
        across = w > h
        part = (w / 2, h) if across else (w, h / 2)
        share = i / 9
        context.set_source_rgb(*(1 - (1 - c) * (0.14 + share * 0.5) for c in BLUE))
        context.rectangle(x, y, *part)
        context.fill_preserve()
        context.set_source_rgb(*INK)
        context.stroke()
        size = max(5, min(part) * 0.2)
        setter.centred(f"A{i}", x + part[0] / 2, y + part[1] / 2 + size * 0.3, size, "*")
        if across:
            x, w = x + w / 2, w / 2
        else:
            y, h = y + h / 2, h / 2
    context.rectangle(x, y, w, h)
    context.stroke()
    return total


def ribbon(context, setter, x, y, width, height):
    """Pages of several sizes in a row, and a window across two of them."""
    shapes = [0.62, 0.62, 1.2, 0.62, 0.62, 0.5]
    gap = 5
    scale = (width - gap * (len(shapes) - 1)) / sum(shapes)
    at, places = x, []
    for i, shape in enumerate(shapes):
        w, h = shape * scale, min(height * 0.74, shape * scale * (1.4 if shape < 1 else 0.7))
        top = y + (height - h) / 2
        drawn = i in (2, 3)
        context.rectangle(at, top, w, h)
        context.set_source_rgb(*(PALE if drawn else (0.97, 0.96, 0.94)))
        context.fill_preserve()
        context.set_source_rgb(*(INK if drawn else (0.7, 0.68, 0.66)))
        context.set_line_width(0.7)
        context.stroke()
        setter.centred(str(i + 1), at + w / 2, top + h / 2 + 5, 14)
        places.append((at, w))
        at += w + gap
    left, right = places[2][0] + places[2][1] * 0.35, places[3][0] + places[3][1] * 0.7
    context.set_source_rgb(*RED)
    context.set_line_width(1.4)
    context.rectangle(left, y, right - left, height)
    context.stroke()
