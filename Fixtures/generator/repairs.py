"""A fixture about faults that keep poppler from drawing, and that other programs mend."""

from .facts import Fixture, Page
from .pdf import PDF, Sheet, array, document
from .strokes import centred

BOX = (0, 0, 200, 200)


def text(words, font):
    return f"BT /{font} 30 Tf 20 90 Td ({words}) Tj ET"


def missing_font(pdf):
    """Text in a font that the resources do not have."""
    return Sheet(BOX, text("No fonts", "F"))


def font_program(pdf):
    """Text in a font whose program is none."""
    program = pdf.stream("not a font")
    descriptor = (
        "<< /Type /FontDescriptor /FontName /Nothing /Flags 32 /ItalicAngle 0 /Ascent 700 /Descent -200"
        f" /CapHeight 700 /StemV 80 /FontBBox [0 -200 1000 800] /FontFile2 {program} 0 R >>"
    )
    font = (
        "<< /Type /Font /Subtype /TrueType /BaseFont /Nothing /Encoding /WinAnsiEncoding"
        f" /FirstChar 32 /LastChar 126 /Widths {array([556] * 95)} /FontDescriptor {descriptor} >>"
    )
    return Sheet(BOX, text("No program", "F"), resources=f"/Font << /F {font} >>")


def form_box(pdf):
    """A form without a box."""
    form = pdf.stream("0 0.5 0 rg 40 40 120 120 re f", "/Type /XObject /Subtype /Form")
    return Sheet(BOX, "/F Do", resources=f"/XObject << /F {form} 0 R >>")


class SheetWithNull(Sheet):
    """A page whose list of content has null in it."""

    def dictionary(self, parent, content):
        plain, faulty = f"/Contents {content} 0 R", f"/Contents [null {content} 0 R]"
        return super().dictionary(parent, content).replace(plain, faulty)


def contents(pdf):
    """Content with null among its streams."""
    return SheetWithNull(BOX, centred("CONTENT", 100, 92, 20))


def make():
    pdf = PDF()
    kinds = (missing_font, font_program, form_box, contents)
    data = document([kind(pdf) for kind in kinds], pdf=pdf)
    return [
        Fixture(
            "repairs.pdf",
            "faults that keep poppler from drawing, and that other programs mend",
            data,
            [Page(200, 200)] * len(kinds),
        )
    ]
