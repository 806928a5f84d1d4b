"""Paragraphs set with care: Pango shapes the words, this breaks the lines.

Lines are broken for the paragraph as a whole, by the least sum of badness, as Knuth and Plass
taught; a soft hyphen in the text allows a break. `*…*` sets italics, `^…^` small capitals.
"""

import math

import gi

gi.require_version("Pango", "1.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import Pango, PangoCairo  # noqa: E402

FAMILY = "EB Garamond 12"
SOFT_HYPHEN = "\u00ad"
MARKUP = {
    "": "{}",
    "*": "<i>{}</i>",
    "^": '<span font_features="smcp" letter_spacing="600">{}</span>',
}


class Typesetter:
    """Sets text on a cairo context; sizes and positions in points, y down."""

    def __init__(self, context):
        self.context = context
        self.layout = PangoCairo.create_layout(context)
        self.widths = {}

    def shape(self, text, size, style=""):
        font = Pango.FontDescription()
        font.set_family(FAMILY)
        font.set_absolute_size(size * Pango.SCALE)
        self.layout.set_font_description(font)
        body = text.replace("&", "&amp;").replace("<", "&lt;")
        figures = '<span font_features="onum, pnum, dlig=0">{}</span>'
        self.layout.set_markup(figures.format(MARKUP[style].format(body)), -1)
        return self.layout

    def width(self, text, size, style=""):
        key = (text, size, style)
        if key not in self.widths:
            self.widths[key] = self.shape(text, size, style).get_size()[0] / Pango.SCALE
        return self.widths[key]

    def word(self, text, x, y, size, style=""):
        """Draws `text` with its baseline starting at (x, y); returns its width."""
        if not text:
            return 0
        layout = self.shape(text, size, style)
        self.context.move_to(x, y)
        PangoCairo.show_layout_line(self.context, layout.get_line_readonly(0))
        return layout.get_size()[0] / Pango.SCALE

    def centred(self, text, x, y, size, style=""):
        self.word(text, x - self.width(text, size, style) / 2, y, size, style)

    def right(self, text, x, y, size, style=""):
        self.word(text, x - self.width(text, size, style), y, size, style)

    def line(self, pieces, x, y, size, width, stretch=True):
        """One line of (word, style) pairs, justified to `width` unless it is a paragraph's last."""
        natural = sum(self.width(word, size, style) for word, style in pieces)
        gaps = len(pieces) - 1
        space = size * 0.25
        if gaps and (stretch or natural + gaps * space > width):
            space = (width - natural) / gaps
        for word, style in pieces:
            x += self.word(word, x, y, size, style) + space


def words(text):
    """The (word, style) pairs of a marked-up text."""
    style, out = "", []
    for token in text.split():
        opened = next((mark for mark in "*^" if token.startswith(mark)), "")
        style = style or opened
        closes = style and style in token[1 if opened else 0 :]
        bare = token.replace("*", "").replace("^", "")
        out.append((bare, style))
        if closes:
            style = ""
    return out


def broken(setter, pieces, size, width_of):
    """Breaks words into lines; `width_of(k)` is the width of line k. Least total badness wins."""
    boxes = []  # (text, style, whether it ends its word)
    for word, style in pieces:
        parts = word.split(SOFT_HYPHEN)
        boxes += [(part, style, i == len(parts) - 1) for i, part in enumerate(parts)]
    measure = [setter.width(text, size, style) for text, style, _ in boxes]
    space = size * 0.25
    best = {(0, 0): (0.0, None)}  # (next box, lines so far) -> (badness, where from)
    for start in range(len(boxes)):
        for state in [s for s in best if s[0] == start]:
            total, gaps = 0.0, 0
            available = width_of(state[1])
            for end in range(start, len(boxes)):
                total += measure[end]
                last, ends = end == len(boxes) - 1, boxes[end][2]
                natural = total + gaps * space + (0 if ends else size * 0.3)
                if natural - gaps * space * 0.3 > available:
                    break
                ratio = (available - natural) / (max(gaps, 0.5) * space)
                cost = 0 if last and ratio >= 0 else min(abs(ratio), 40) ** 3 * 100 + 10
                cost += 0 if ends else 60
                after = (end + 1, state[1] + 1)
                sum_ = best[state][0] + cost
                if sum_ < best.get(after, (math.inf,))[0]:
                    best[after] = (sum_, state)
                gaps += ends
    state = min((s for s in best if s[0] == len(boxes)), key=lambda s: best[s][0])
    ends = []
    while state[0]:
        ends.append(state[0])
        state = best[state][1]
    start = 0
    for end in reversed(ends):
        yield joined(boxes[start:end])
        start = end


def joined(boxes):
    """Boxes of one line back to words; a word cut at the end gets its hyphen."""
    line, word = [], ""
    for text, style, ends in boxes:
        word += text
        if ends:
            line.append((word, style))
            word = ""
    return line + ([(word + "-", boxes[-1][1])] if word else [])
