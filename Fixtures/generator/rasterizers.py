"""A fixture about what poppler draws wrong with cairo, and right with Splash."""

from .facts import Fixture, Page
from .pdf import PDF, Sheet, document
from .strokes import centred

BOX = (0, 0, 200, 200)


def colored_glyphs(pdf):
    """Squares in colors of their own, shown in black."""
    glyphs = {
        name: pdf.stream(f"1000 0 d0 {color} rg 100 0 800 800 re f")
        for name, color in (("r", "1 0 0"), ("g", "0 0.6 0"), ("b", "0 0 1"))
    }
    procedures = " ".join(f"/{name} {reference} 0 R" for name, reference in glyphs.items())
    font = (
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0]"
        f" /CharProcs << {procedures} >> /Encoding << /Type /Encoding /Differences [97 /r /g /b] >>"
        " /FirstChar 97 /LastChar 99 /Widths [1000 1000 1000] /Resources << >> >>"
    )
    content = "BT /T 60 Tf 10 70 Td (abc) Tj ET"
    return Sheet(BOX, content, resources=f"/Font << /T {font} >>")


def highlighter(pdf):
    """Yellow over text, in a group that is not isolated."""
    form = pdf.form(
        "/M gs 1 1 0 rg 20 80 160 40 re f",
        (200, 200),
        "/Group << /S /Transparency /CS /DeviceRGB >>"
        " /Resources << /ExtGState << /M << /BM /Multiply >> >> >>",
    )
    content = centred("HIGHLIGHT", 100, 92, 16) + " /F Do"
    return Sheet(BOX, content, resources=f"/XObject << /F {form} 0 R >>")


def matte(pdf):
    """Orange at half opacity, mixed with a black matte."""
    size = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8"
    mask = pdf.stream(b"\x80", f"{size} /ColorSpace /DeviceGray /Matte [0 0 0]")
    image = pdf.stream(b"\x80\x40\x00", f"{size} /ColorSpace /DeviceRGB /SMask {mask} 0 R")
    return Sheet(
        BOX, "q 160 0 0 160 20 20 cm /I Do Q", resources=f"/XObject << /I {image} 0 R >>"
    )


def strips(pdf):
    """A brown square of forty images that adjoin."""
    images = []
    content = []
    for place in range(40):
        image = pdf.stream(
            b"\x80\x40\x20" * 64,
            "/Type /XObject /Subtype /Image /Width 64 /Height 1 /BitsPerComponent 8"
            " /ColorSpace /DeviceRGB",
            compress=True,
        )
        images.append(f"/I{place} {image} 0 R")
        content.append(f"q 160 0 0 4.03 20 {20 + 4.03 * place:.2f} cm /I{place} Do Q")
    return Sheet(BOX, "\n".join(content), resources=f"/XObject << {' '.join(images)} >>")


def boxes(pdf):
    """A blue square of forty boxes that adjoin: right with both."""
    content = [f"20 {20 + 4.03 * place:.2f} 160 4.03 re f" for place in range(40)]
    return Sheet(BOX, "0.2 0.4 0.6 rg\n" + "\n".join(content))


def make():
    pdf = PDF()
    kinds = (colored_glyphs, highlighter, matte, strips, boxes)
    data = document([kind(pdf) for kind in kinds], pdf=pdf)
    return [
        Fixture(
            "rasterizers.pdf",
            "what poppler draws wrong with cairo, and boxes that adjoin",
            data,
            [Page(200, 200)] * len(kinds),
        )
    ]
