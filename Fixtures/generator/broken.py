"""Fixtures that are damaged, as a whole or in one page."""

from . import art
from .boxes import plain
from .facts import Fixture, Page
from .pdf import PDF, Sheet, document


def zero_pages():
    pdf = PDF()
    root = pdf.add("<< /Type /Catalog /Pages 2 0 R >>")
    pdf.add("<< /Type /Pages /Count 0 /Kids [] >>")
    return Fixture("zero-pages.pdf", "a valid file without a page", pdf.file(root))


def three(caption):
    return document([plain(300, 420, i, caption) for i in (1, 2, 3)], compress=True)


def damaged_xref():
    """Every offset is wrong, the last included: only a search for objects finds them."""
    data = three("DAMAGED TABLE")
    head, table = data.split(b"xref\n0 ", 1)
    lines = table.split(b"\n")
    lines = [
        b"%010d 00000 n " % (7 + i) if line.endswith(b" n ") else line
        for i, line in enumerate(lines)
    ]
    at = lines.index(b"startxref")
    lines[at + 1] = b"99999"
    data = head + b"xref\n0 " + b"\n".join(lines)
    return Fixture(
        "damaged-xref.pdf",
        "a useless cross-reference table; readers rebuild it",
        data,
        [Page(300, 420)] * 3,
    )


def truncated():
    data = three("TRUNCATED")
    return Fixture(
        "truncated.pdf",
        "cut off in front of its first page; nothing can be saved",
        data[: data.index(b"3 0 obj")],
        error="damaged",
    )


def not_a_pdf():
    text = "This is a plain text file. It has the wrong suffix and nothing else to hide.\n"
    return Fixture("not-a-pdf.pdf", "plain text", text.encode(), error="not-pdf")


def page_missing():
    """/Kids names an object that does not exist between two that do."""
    data = document([plain(300, 420, i) for i in (1, 2, 3)])
    data = data.replace(b"[3 0 R 5 0 R 7 0 R]", b"[3 0 R 9 0 R 7 0 R]")
    pages = [Page(300, 420), Page(300, 420), Page(0, 0, error="page-missing")]
    return Fixture("page-missing.pdf", "the second of three kids is no object", data, pages)


def page_empty():
    """Boxes without any area among good ones."""
    box = (0, 0, 300, 420)
    sheets = [
        plain(300, 420, 1),
        Sheet((0, 0, 300, 0), art.page(box, 2)),
        plain(300, 420, 3),
        Sheet((100, 100, 100, 100), art.page(box, 4)),
        plain(300, 420, 5),
    ]
    pages = [
        Page(300, 420),
        Page(300, 0, error="page-size"),
        Page(300, 420),
        Page(0, 0, error="page-size"),
        Page(300, 420),
    ]
    return Fixture(
        "page-empty.pdf",
        "page 2 has no height, page 4's media box is a point",
        document(sheets),
        pages,
    )


def make():
    return [zero_pages(), damaged_xref(), truncated(), not_a_pdf(), page_missing(), page_empty()]
