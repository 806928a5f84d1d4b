"""Fixtures about how a document wants to be read: direction, layout, labels, title."""

from .boxes import plain
from .facts import Fixture, Page
from .pdf import document, text_string

SIZE = (300, 420)


def sheets(count, captions=()):
    captions = list(captions) or [""] * count
    return [plain(*SIZE, i, captions[i - 1]) for i in range(1, count + 1)]


def right_to_left():
    data = document(sheets(5), "/ViewerPreferences << /Direction /R2L >>")
    return Fixture(
        "right-to-left.pdf", "/Direction /R2L", data, [Page(*SIZE)] * 5, right_to_left=True
    )


def two_column_right():
    data = document(sheets(6), "/PageLayout /TwoColumnRight")
    return Fixture(
        "two-column-right.pdf",
        "/PageLayout /TwoColumnRight: a book with its first page alone",
        data,
        [Page(*SIZE)] * 6,
        page_layout="TwoColumnRight",
    )


def labels():
    ranges = [
        "0 << /S /r >>",
        "3 << /S /D /P (A-) >>",
        "5 << /S /A /St 25 >>",
        "8 << /S /D /St 8 >>",
        "9 << /P (Plate) >>",
        "10 << /S /R /St 1999 >>",
        "11 << /S /a /P (\\247) >>",
    ]
    names = ["i", "ii", "iii", "A-1", "A-2", "Y", "Z", "AA", "8", "Plate", "MCMXCIX", "§a"]
    captions = [name.upper().replace("§", "SECTION ") for name in names]
    data = document(sheets(len(names), captions), f"/PageLabels << /Nums [{' '.join(ranges)}] >>")
    pages = [Page(*SIZE, label=name) for name in names]
    return Fixture("labels.pdf", "roman, prefixed, lettered and bare page labels", data, pages)


def title_utf16():
    title = "Περὶ βιβλίων – 本の形 📖"
    data = document(sheets(1, ["UTF-16"]), info=f"/Title {text_string(title)}")
    return Fixture(
        "title-utf16.pdf",
        "/Title in UTF-16 with a surrogate pair",
        data,
        [Page(*SIZE)],
        title=title,
    )


def title_pdfdoc():
    title = "“Café” — €10 • naïve"
    written = "\\215Caf\\351\\216 \\204 \\24010 \\200 na\\357ve"
    data = document(sheets(1, ["PDFDOCENCODING"]), info=f"/Title ({written})")
    return Fixture(
        "title-pdfdoc.pdf",
        "/Title in PDFDocEncoding beyond Latin-1",
        data,
        [Page(*SIZE)],
        title=title,
    )


def make():
    return [right_to_left(), two_column_right(), labels(), title_utf16(), title_pdfdoc()]
