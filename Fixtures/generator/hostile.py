"""Fixtures that attack the renderer: time, memory, stack. Page 2 of three is the bad one.

What they do was seen with poppler 22.12; a later one may well be immune.
"""

import zlib

from .boxes import plain
from .facts import Fixture, Page
from .pdf import PDF, Sheet, document

BOX = (0, 0, 300, 420)


def among_good_ones(name, shows, pdf, content, resources, error):
    bad = Sheet(BOX, content, resources=resources)
    data = document([plain(300, 420, 1, "GOOD"), bad, plain(300, 420, 3, "GOOD")], pdf=pdf)
    return Fixture(name, shows, data, [Page(300, 420), Page(300, 420, error=error), Page(300, 420)])


def endless_forms():
    """Forty forms, each drawing the next one twice: 2⁴⁰ rectangles, and no memory to speak of."""
    pdf = PDF()
    form = pdf.form("0 0 1 1 re f", BOX)
    for _ in range(40):
        form = pdf.form("/F Do /F Do", BOX, f"/Resources << /XObject << /F {form} 0 R >> >>")
    shows = "page 2 takes for ever: forms that draw each other 2⁴⁰ times"
    return among_good_ones(
        "endless-forms.pdf", shows, pdf, "/F Do", f"/XObject << /F {form} 0 R >>", "time-limit"
    )


def endless_shading():
    """A valid shading by a function of two variables whose matrix is a quarter turn.

    Poppler takes 1.7 GB in two seconds and then never ends.
    """
    pdf = PDF()
    function = pdf.stream("{ pop }", "/FunctionType 4 /Domain [0 1 0 1] /Range [0 1]")
    shading = (
        "<< /ShadingType 1 /ColorSpace /DeviceGray /Matrix [0 420 -300 0 300 0]"
        f" /Function {function} 0 R >>"
    )
    shows = "page 2, valid, takes 1.7 GB and then for ever: a turned function shading"
    return among_good_ones(
        "endless-shading.pdf", shows, pdf, "/S sh", f"/Shading << /S {shading} >>", "memory-limit"
    )


def memory():
    """A one-bit image of 23,000² pixels, deflated twice; cairo wants four bytes for each."""
    side = 23_000
    row = bytes([0xF0, 0xF0, 0x0F, 0x0F] * (side // 32 + 1))[: (side + 7) // 8]
    data = zlib.compress(zlib.compress(row * side, 9), 9)
    pdf = PDF()
    entries = (
        f"/Type /XObject /Subtype /Image /Width {side} /Height {side} /BitsPerComponent 1"
        " /ColorSpace /DeviceGray /Filter [/FlateDecode /FlateDecode]"
    )
    image = pdf.stream(data, entries)
    shows = "page 2 needs 2.1 GB: a tiny file holds a 23,000 × 23,000 image"
    return among_good_ones(
        "memory.pdf",
        shows,
        pdf,
        "300 0 0 420 0 0 cm /I Do",
        f"/XObject << /I {image} 0 R >>",
        "memory-limit",
    )


def crash():
    """A PostScript function nested 60,000 deep: the parser recurses until the stack is gone."""
    depth = 60_000
    pdf = PDF()
    function = pdf.stream(
        "{" * depth + "}" * depth, "/FunctionType 4 /Domain [0 1] /Range [0 1]", compress=True
    )
    shading = (
        f"<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 300 0] /Function {function} 0 R >>"
    )
    shows = "page 2 overflows an 8 MB stack: 60,000 nested braces; a worker, which has more, draws it"
    return among_good_ones(
        "crash.pdf", shows, pdf, "/S sh", f"/Shading << /S {shading} >>", "crash"
    )


def incomplete():
    """Type 3 fonts that cairo gives up on: a glyph that shows itself, and a matrix without an inverse.

    Red is drawn before, blue would be drawn after.
    """
    pdf = PDF()

    def font(matrix, content):
        reference = pdf.reserve()
        glyph = pdf.stream(content)
        return pdf.put(
            reference,
            f"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix {matrix}"
            f" /CharProcs << /a {glyph} 0 R >> /Encoding << /Differences [97 /a] >>"
            " /FirstChar 97 /LastChar 97 /Widths [1000]"
            f" /Resources << /Font << /T {reference} 0 R >> >> >>",
        )

    def sheet(font):
        return Sheet(
            BOX,
            "0.8 0.2 0.1 rg 30 300 240 90 re f BT /T 20 Tf 100 200 Td (a) Tj ET"
            " 0.1 0.2 0.8 rg 30 30 240 90 re f",
            resources=f"/Font << /T {font} 0 R >>",
        )

    recursive = font("[0.001 0 0 0.001 0 0]", "1000 0 d0 BT /T 1 Tf (a) Tj ET")
    singular = font("[0 0 0 0 0 0]", "1000 0 d0 0 0 1000 1000 re f")
    sheets = [plain(300, 420, 1, "GOOD"), sheet(recursive), sheet(singular)]
    return Fixture(
        "incomplete.pdf",
        "cairo gives up in the middle of pages 2 and 3: fonts that cannot be used",
        document(sheets, pdf=pdf),
        [Page(300, 420)] * 3,
    )


def make():
    return [endless_forms(), endless_shading(), memory(), crash(), incomplete()]
