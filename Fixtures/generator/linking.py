"""A fixture with links, named destinations and an outline, to pages of every rotation and box."""

from . import art
from .facts import Fixture, Page
from .pdf import PDF, Sheet, array, document, text_string

MEDIA = (-10, -20, 330, 460)
CROP = (20, 30, 320, 450)


def link(rect, target, quads=None):
    quads = f" /QuadPoints {array(quads)}" if quads else ""
    return f"<< /Type /Annot /Subtype /Link /Rect {array(rect)}{quads} /Border [0 0 1] {target} >>"


def action(kind, entries):
    return f"/A << /S /{kind} {entries} >>"


class Pages:
    """References to pages, whose numbers `document` gives: it reserves two objects in front of them,
    and two for each page."""

    def __init__(self, pdf):
        self.first = pdf.reserved + 3

    def __getitem__(self, number):
        return f"{self.first + 2 * (number - 1)} 0 R"


def destinations(pages):
    """One of each kind on each of the first four pages, by name."""
    for number in range(1, 5):
        page = pages[number]
        yield f"xyz.{number}", f"[{page} /XYZ 50 400 1.5]"
        yield f"xyz-null.{number}", f"[{page} /XYZ null 400 0]"
        yield f"fit.{number}", f"[{page} /Fit]"
        yield f"fith.{number}", f"[{page} /FitH 300]"
        yield f"fitv.{number}", f"[{page} /FitV 60]"
        yield f"fitr.{number}", f"[{page} /FitR 40 50 200 300]"
        yield f"fitb.{number}", f"[{page} /FitB]"
        yield f"fitbh.{number}", f"[{page} /FitBH null]"
        yield f"fitbv.{number}", f"[{page} /FitBV 60]"


def names(pdf, entries):
    """A name tree of three levels: a root, nodes of three leaves, leaves of three names."""
    entries = sorted(entries)
    level = []
    for start in range(0, len(entries), 3):
        part = entries[start : start + 3]
        low, high = part[0][0], part[-1][0]
        body = " ".join(f"({name}) {value}" for name, value in part)
        leaf = pdf.add(f"<< /Limits [({low}) ({high})] /Names [{body}] >>")
        level.append((low, high, leaf))
    nodes = []
    for start in range(0, len(level), 3):
        part = level[start : start + 3]
        low, high = part[0][0], part[-1][1]
        kids = " ".join(f"{leaf} 0 R" for _, _, leaf in part)
        nodes.append(pdf.add(f"<< /Limits [({low}) ({high})] /Kids [{kids}] >>"))
    kids = " ".join(f"{node} 0 R" for node in nodes)
    return pdf.add(f"<< /Kids [{kids}] >>")


def outline(pdf, items):
    """An outline of (title, entries, is it open, items below)."""
    root = pdf.reserve()

    def row(parent, items):
        numbers = [pdf.reserve() for _ in items]
        for place, (title, entries, is_open, below) in enumerate(items):
            parts = [f"<< /Title {text_string(title)} /Parent {parent} 0 R {entries}"]
            if place > 0:
                parts.append(f"/Prev {numbers[place - 1]} 0 R")
            if place + 1 < len(items):
                parts.append(f"/Next {numbers[place + 1]} 0 R")
            if below:
                first, last = row(numbers[place], below)
                count = len(below) if is_open else -len(below)
                parts.append(f"/First {first} 0 R /Last {last} 0 R /Count {count}")
            pdf.put(numbers[place], " ".join(parts) + " >>")
        return numbers[0], numbers[-1]

    first, last = row(root, items)
    pdf.put(root, f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R /Count {len(items)} >>")
    return root


def links(pages):
    """One of each kind of target, a row of rectangles from the top down."""
    quads = [50, 152, 150, 152, 50, 142, 150, 142, 30, 140, 90, 140, 30, 130, 90, 130]
    targets = [
        f"/Dest [{pages[2]} /XYZ 50 400 1.5]",
        f"/Dest [{pages[3]} /FitR 40 50 200 300]",
        "/Dest (xyz.4)",
        "/Dest /xyz.2",
        action("GoTo", "/D (fith.2)"),
        action("GoTo", "/D (no such name)"),
        action("GoToR", "/F (other.pdf) /D [4 /Fit]"),
        action("GoToR", "/F << /Type /Filespec /F (other.pdf) >> /D (chapter)"),
        action("URI", "/URI (https://example.org/a?b=c#d)"),
        action("URI", "/URI (relative/path)"),
        action("URI", "/URI (www.example.org)"),
        action("Launch", "/F (notes.txt)"),
        action("Named", "/N /NextPage"),
        action("JavaScript", "/JS (app.beep\\(\\);)"),
        f"/Dest [{pages[5]} /XYZ 60 100 null]",
        "/Dest [99 /Fit]",
    ]
    for place, target in enumerate(targets):
        top = 440 - 16 * place
        yield link((30, top - 12, 200, top), target)
    accents = "/URI (https://example.org/r\\303\\251sum\\303\\251)"
    yield link((30, 170, 150, 182), action("URI", accents))
    yield link((28, 130, 152, 154), f"/Dest [{pages[6]} /Fit]", quads)


def make():
    pdf = PDF()
    # What refers to pages is written when their numbers are known, after as many objects as follow.
    entries = 9 * 4
    leaves = -(-entries // 3)
    needed = leaves + -(-leaves // 3) + 1 + 8 + 1
    pages = Pages(pdf)
    pages.first += needed
    tree = names(pdf, list(destinations(pages)))
    root = outline(
        pdf,
        [
            ("Upright", f"/Dest [{pages[1]} /XYZ 50 400 null]", True, [
                ("Turned", f"/Dest [{pages[2]} /FitH 300]", False, [
                    ("Upside down", action("GoTo", f"/D [{pages[3]} /Fit]"), False, []),
                ]),
                ("Überschrift – 第二章", "/Dest (fitv.4)", False, []),
            ]),
            ("Address", action("URI", "/URI (https://example.org/)"), False, []),
            ("Closed", "", False, [("Larger unit", f"/Dest [{pages[5]} /XYZ 60 100 2]", False, [])]),
            ("Gone", "/Dest (nowhere)", False, []),
        ],
    )
    sheets = []
    for number, turn in enumerate((0, 90, 180, 270), 1):
        content = art.page(CROP, number, f"ROTATE {turn}", rotation=turn)
        annots = list(links(pages)) if number == 1 else [link((40, 60, 140, 90), "/Dest (xyz.1)")]
        extra = f"/Annots [{' '.join(annots)}]"
        sheets.append(Sheet(MEDIA, content, crop=CROP, rotate=turn, extra=extra))
    box = (0, 0, 150, 210)
    unit = link((10, 20, 60, 40), "/Dest (fit.1)")
    sheets.append(
        Sheet(box, art.page(box, 5, "UNIT 2"), user_unit=2, extra=f"/Annots [{unit}]")
    )
    sheets.append(Sheet((0, 0, 300, 420), art.page((0, 0, 300, 420), 6, "NO LINKS")))
    assert pdf.reserved == needed, f"{pdf.reserved} objects and not {needed}"
    catalog = (
        f"/Outlines {root} 0 R /Names << /Dests {tree} 0 R >> "
        "/URI << /Base (https://example.org/base) >>"
    )
    data = document(sheets, catalog=catalog, pdf=pdf)
    shown = [Page(300, 420), Page(420, 300, 90), Page(300, 420, 180), Page(420, 300, 270)]
    shown += [Page(300, 420, user_unit=2), Page(300, 420)]
    says = "links of all kinds, destinations in a name tree, an outline"
    return [Fixture("links.pdf", says, data, shown)]
