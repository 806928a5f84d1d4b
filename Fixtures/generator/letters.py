"""A TrueType font made of the stroke alphabet, and text set in it.

A glyph stands for any text: that is what its entry in the ToUnicode table says. Letters that the stroke
alphabet does not have are frames with a bar, so that they can be told from each other in pictures.
"""

import math
import struct

from .pdf import array
from .strokes import GLYPHS

UNITS = 1000
ASCENT, DESCENT = 800, -200
PEN = 70


def quad(start, end):
    """A stroke as a contour, clockwise."""
    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0)
    if length == 0:
        half = PEN / 2
        return [(x0 - half, y0 - half), (x0 - half, y0 + half), (x0 + half, y0 + half), (x0 + half, y0 - half)]
    dx, dy = (y1 - y0) / length * PEN / 2, -(x1 - x0) / length * PEN / 2
    return [(x0 + dx, y0 + dy), (x0 - dx, y0 - dy), (x1 - dx, y1 - dy), (x1 + dx, y1 + dy)]


def frame(number, left, bottom, right, top):
    """A frame with a bar whose height is that of the number in a row of seven."""
    bar = bottom + (top - bottom) * (1 + number % 7) / 8
    corners = [(left, bottom), (left, top), (right, top), (right, bottom), (left, bottom)]
    return [quad(*pair) for pair in zip(corners, corners[1:])] + [quad((left, bar), (right, bar))]


def contours(character, number):
    """The strokes of a character; those of a frame if the alphabet does not have it."""
    if character.isspace():
        return []
    if character.upper() not in GLYPHS:
        return frame(number, 100, 0, 500, 600)
    strokes = []
    for stroke in GLYPHS[character.upper()].split():
        points = [(100 + int(stroke[i]) * 100, int(stroke[i + 1]) * 100) for i in range(0, len(stroke), 2)]
        strokes += [quad(*pair) for pair in zip(points, points[1:])]
    return strokes


def outline(strokes):
    """A glyph of the table `glyf`."""
    strokes = [[(round(x), round(y)) for x, y in stroke] for stroke in strokes]
    points = [point for stroke in strokes for point in stroke]
    if not points:
        return b""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    data = struct.pack(">5h", len(strokes), min(xs), min(ys), max(xs), max(ys))
    end = -1
    for stroke in strokes:
        end += len(stroke)
        data += struct.pack(">H", end)
    data += struct.pack(">H", 0) + b"\x01" * len(points)
    for values in (xs, ys):
        data += b"".join(struct.pack(">h", b - a) for a, b in zip([0, *values], values))
    return data + b"\0" * (-len(data) % 4)


def truetype(glyphs, widths):
    """A font file of outlines, without a table of characters."""
    data, offsets = b"", [0]
    for glyph in glyphs:
        data += glyph
        offsets.append(len(data))
    count = len(glyphs)
    tables = {
        b"glyf": data,
        b"head": struct.pack(">4I2H2Q4h2H3h", 0x10000, 0x10000, 0, 0x5F0F3CF5, 0, UNITS, 0, 0, 0, DESCENT, UNITS, ASCENT, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">I3hH11hH", 0x10000, ASCENT, DESCENT, 0, UNITS, 0, 0, UNITS, 1, 0, 0, 0, 0, 0, 0, 0, count),
        b"hmtx": b"".join(struct.pack(">Hh", width, 0) for width in widths),
        b"loca": struct.pack(f">{count + 1}I", *offsets),
        b"maxp": struct.pack(">I14H", 0x10000, count, 200, 50, 0, 0, 2, 0, 0, 0, 0, 64, 0, 0, 0),
    }
    out = struct.pack(">I4H", 0x10000, len(tables), 64, 2, 32)
    place, body = 12 + 16 * len(tables), b""
    for tag, table in tables.items():
        padded = table + b"\0" * (-len(table) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        out += tag + struct.pack(">3I", total, place + len(body), len(table))
        body += padded
    return out + body


class Font:
    """A font that gains a glyph for each piece of text that is set in it."""

    def __init__(self, is_vertical=False):
        self.is_vertical = is_vertical
        self.glyphs, self.widths, self.meanings, self.codes = [b""], [UNITS], {}, {}

    def code(self, piece, meaning=None, width=None):
        """The code of a piece of text. `meaning` is UTF-16 in hexadecimal digits if the piece is not
        what it stands for; an empty one says nothing."""
        key = (piece, meaning)
        if key not in self.codes:
            code = self.codes[key] = len(self.glyphs)
            first = piece[0]
            mark = 0x300 <= ord(first) < 0x370
            strokes = [quad((-350, 720), (-200, 790))] if mark else contours(first, ord(first))
            self.glyphs.append(outline(strokes))
            self.widths.append(0 if mark else width or (UNITS if self.is_vertical else 600))
            self.meanings[code] = piece.encode("utf-16-be").hex() if meaning is None else meaning
        return self.codes[key]

    def show(self, pieces):
        """The operand of Tj for pieces of text; a string has a piece for each scalar."""
        return "<" + "".join(f"{self.code(piece):04x}" for piece in pieces) + ">"

    def add(self, pdf):
        """The objects of the font in a file."""
        entries = [f"<{code:04x}> <{text}>" for code, text in self.meanings.items() if text]
        parts = [entries[i : i + 100] for i in range(0, len(entries), 100)]
        table = pdf.stream(
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Letters def\n"
            "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
            + "".join(f"{len(p)} beginbfchar\n" + "\n".join(p) + "\nendbfchar\n" for p in parts)
            + "endcmap end end",
            compress=True,
        )
        data = truetype(self.glyphs, self.widths)
        program = pdf.stream(data, f"/Length1 {len(data)}", compress=True)
        descriptor = pdf.add(
            "<< /Type /FontDescriptor /FontName /AAAAAA+Letters /Flags 4 /ItalicAngle 0 /StemV 80"
            f" /FontBBox [0 {DESCENT} {UNITS} {ASCENT}] /Ascent {ASCENT} /Descent {DESCENT}"
            f" /CapHeight 600 /FontFile2 {program} 0 R >>"
        )
        descendant = pdf.add(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Letters /CIDToGIDMap /Identity"
            " /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
            f" /FontDescriptor {descriptor} 0 R /W [0 {array(self.widths)}] >>"
        )
        encoding = "Identity-V" if self.is_vertical else "Identity-H"
        return pdf.add(
            f"<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Letters /Encoding /{encoding}"
            f" /DescendantFonts [{descendant} 0 R] /ToUnicode {table} 0 R >>"
        )


def line(font, x, y, pieces, size=16, name="F"):
    """Operators that show pieces of text from a point on."""
    return f"BT /{name} {size} Tf {x} {y} Td {font.show(pieces)} Tj ET\n"
