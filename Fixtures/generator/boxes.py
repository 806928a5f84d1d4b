"""Fixtures about page geometry: sizes, rotation, boxes, units, inheritance."""

from . import art
from .facts import Fixture, Page
from .pdf import PDF, Sheet, array, document

A4 = (595.276, 841.89)


def plain(width, height, number, caption=""):
    """A sheet at the origin without any further entries."""
    return Sheet((0, 0, width, height), art.page((0, 0, width, height), number, caption))


def mixed_sizes():
    sizes = [
        ("A4", *A4),
        ("A4 LANDSCAPE", A4[1], A4[0]),
        ("LETTER", 612, 792),
        ("A3 LANDSCAPE", 1190.551, A4[1]),
        ("SQUARE", 300, 300),
        ("CARD", 240.945, 153.071),
        ("RECEIPT", 226.772, 1400),
        ("A5", 419.528, A4[0]),
    ]
    sheets = [plain(w, h, i, name) for i, (name, w, h) in enumerate(sizes, 1)]
    pages = [Page(w, h) for _, w, h in sizes]
    return Fixture("mixed-sizes.pdf", "eight pages, eight sizes", document(sheets), pages)


def fold_out():
    widths = [300, 300, 300, 1200, 300, 2.5 * 300]
    sheets = [plain(w, 420, i, f"{w:g} WIDE") for i, w in enumerate(widths, 1)]
    pages = [Page(w, 420) for w in widths]
    return Fixture(
        "fold-out.pdf", "a book with two fold-outs, 4 and 2.5 pages wide", document(sheets), pages
    )


def rotated(number, value, turns, box=(0, 0, 300, 420), **others):
    """A sheet with /Rotate as written in `value`, upright when it is shown turned by `turns`."""
    visible = others.get("crop") or box
    content = art.page(visible, number, f"ROTATE {others.pop('says', value)}", rotation=turns)
    return Sheet(box, content, rotate=value, **others)


def rotate():
    sheets = [rotated(i, turns, turns) for i, turns in enumerate((0, 90, 180, 270), 1)]
    pages = [Page(300, 420), Page(420, 300, 90), Page(300, 420, 180), Page(420, 300, 270)]
    return Fixture(
        "rotate.pdf", "all four /Rotate values, upright when honoured", document(sheets), pages
    )


def rotate_odd():
    cases = [(-90, 270), (450, 90), (-720, 0), (45, 0), ("null", 0), ("(90)", 0)]
    sheets = [rotated(i, value, turns) for i, (value, turns) in enumerate(cases, 1)]
    pages = [Page(*((420, 300) if turns % 180 else (300, 420)), turns) for _, turns in cases]
    return Fixture(
        "rotate-odd.pdf",
        "/Rotate -90, 450, -720, and what counts as none: 45, null, a string",
        document(sheets),
        pages,
    )


def surplus(box):
    """A loud colour all over the media box: seen only where the crop box is not respected."""
    x, y, right, top = box
    return f"1 0 0.6 rg {x} {y} {right - x} {top - y} re f\n"


def cropped(number, media, crop, visible, caption, **others):
    turns = others.get("rotate") or 0
    content = surplus(media) + art.page(visible, number, caption, rotation=turns)
    return Sheet(media, content, crop=crop, **others)


def crop():
    media, box = (0, 0, 400, 500), (50, 60, 350, 460)
    sheets = [
        cropped(1, media, box, box, "CROP 300 X 400"),
        cropped(2, media, box, box, "CROP AND ROTATE 90", rotate=90),
        cropped(3, media, (350, 460, 50, 60), box, "CORNERS SWAPPED"),
        cropped(4, media, None, media, "NO CROP BOX"),
    ]
    pages = [Page(300, 400), Page(400, 300, 90), Page(300, 400), Page(400, 500)]
    return Fixture(
        "crop.pdf", "crop box inside the media box, also turned", document(sheets), pages
    )


def crop_shifted():
    shifted, negative = (100, 200, 500, 700), (-200, -100, 100, 300)
    box = (150.5, 250.25, 450.5, 650.25)
    sheets = [
        cropped(1, shifted, box, box, "SHIFTED CROP"),
        cropped(2, negative, None, negative, "NEGATIVE ORIGIN"),
        cropped(3, negative, (-150, -50, 50, 250), (-150, -50, 50, 250), "BOTH", rotate=270),
    ]
    pages = [Page(300, 400), Page(300, 400), Page(300, 200, 270)]
    return Fixture("crop-shifted.pdf", "boxes whose origin is not (0, 0)", document(sheets), pages)


def crop_overhang():
    """A crop box longer than the media box on an axis counts as the media box on that axis.

    Only after that is the rest cut to the media box: so says poppler, and pages 3 and 4 show it.
    """
    media = (0, 0, 300, 400)
    cases = [
        ((-50, -50, 250, 350), (0, 0, 250, 350), "OVER THE LOWER LEFT"),
        ((100, 100, 380, 450), (100, 100, 300, 400), "OVER THE UPPER RIGHT"),
        ((100, 100, 600, 450), (0, 100, 300, 400), "WIDER THAN THE MEDIA"),
        ((-90, -90, 900, 900), media, "OVER ALL SIDES"),
    ]
    sheets = [cropped(i, media, *case) for i, case in enumerate(cases, 1)]
    pages = [Page(250, 350), Page(200, 300), Page(300, 300), Page(300, 400)]
    return Fixture(
        "crop-overhang.pdf", "crop boxes that reach beyond the media box", document(sheets), pages
    )


def user_unit():
    box, crop_box = (0, 0, 200, 300), (20, 30, 180, 270)
    sheets = [
        Sheet(box, art.page(box, 1, "USER UNIT 2", unit=0.5), user_unit=2),
        plain(400, 600, 2, "NO USER UNIT"),
        Sheet(
            (0, 0, 800, 1200),
            art.page((0, 0, 800, 1200), 3, "USER UNIT 0.5", unit=2),
            user_unit=0.5,
        ),
        cropped(4, box, crop_box, crop_box, "UNIT 2 CROP ROTATE", user_unit=2, rotate=90),
        Sheet(box, art.page(box, 5, "USER UNIT 1.5", unit=1 / 1.5), user_unit=1.5),
    ]
    pages = [
        Page(400, 600, user_unit=2),
        Page(400, 600),
        Page(400, 600, user_unit=0.5),
        Page(480, 320, 90, user_unit=2),
        Page(300, 450, user_unit=1.5),
    ]
    return Fixture("user-unit.pdf", "UserUnit 2, none, 0.5 and 1.5", document(sheets), pages)


def inherited():
    """A tree of three levels in which pages take their attributes from above."""
    pdf = PDF()
    root, top, left, right = (pdf.reserve() for _ in range(4))
    box = (-20, -20, 20, 20)
    diamond = pdf.form("0.8 0.2 0.15 rg 0 -14 m 14 0 l 0 14 l -14 0 l f", box)
    square = pdf.form("0.15 0.3 0.7 rg -12 -12 24 24 re f", box)

    def page(parent, number, box, caption, rotation=0, own=""):
        x, y = box[0] + 40, box[1] + 40
        content = pdf.stream(
            art.page(box, number, caption, rotation=rotation) + f"q 1 0 0 1 {x} {y} cm /Seal Do Q"
        )
        body = f"<< /Type /Page /Parent {parent} 0 R {own}".rstrip()
        return pdf.add(f"{body} /Contents {content} 0 R >>")

    crop_box = (30, 30, 330, 430)
    first = page(left, 1, crop_box, "ALL INHERITED", 90)
    second = page(left, 2, crop_box, "OWN ROTATE 0", 0, "/Rotate 0")
    third = page(right, 3, (0, 0, 240, 360), "FROM THE MIDDLE", 180)
    fourth = page(
        right,
        4,
        (0, 0, 500, 300),
        "OWN MEDIA BOX",
        180,
        "/MediaBox [0 0 500 300] /CropBox [0 0 500 300]",
    )
    pdf.put(root, f"<< /Type /Catalog /Pages {top} 0 R >>")
    pdf.put(
        top,
        f"<< /Type /Pages /Count 4 /Kids [{left} 0 R {right} 0 R] /MediaBox [0 0 360 460]"
        f" /CropBox {array(crop_box)} /Rotate 90"
        f" /Resources << /XObject << /Seal {diamond} 0 R >> >> >>",
    )
    pdf.put(left, f"<< /Type /Pages /Parent {top} 0 R /Count 2 /Kids [{first} 0 R {second} 0 R] >>")
    pdf.put(
        right,
        f"<< /Type /Pages /Parent {top} 0 R /Count 2 /Kids [{third} 0 R {fourth} 0 R]"
        f" /MediaBox [0 0 240 360] /CropBox [0 0 240 360] /Rotate 180"
        f" /Resources << /XObject << /Seal {square} 0 R >> >> >>",
    )
    pages = [Page(400, 300, 90), Page(300, 400), Page(240, 360, 180), Page(500, 300, 180)]
    return Fixture(
        "inherited.pdf",
        "boxes, rotation and resources from /Pages nodes on two levels",
        pdf.file(root),
        pages,
    )


def make():
    return [
        mixed_sizes(),
        fold_out(),
        rotate(),
        rotate_odd(),
        crop(),
        crop_shifted(),
        crop_overhang(),
        user_unit(),
        inherited(),
    ]
