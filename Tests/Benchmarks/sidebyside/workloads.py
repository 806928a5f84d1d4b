"""The rows: what everybody does, and who takes part."""

from dataclasses import dataclass


@dataclass
class Row:
    """One piece of work. `group` says where documents show it, `title` what is done."""

    id: str
    group: str
    title: str
    entrants: list
    # Peak memory is looked at in a run of its own, which is not timed.
    memory: bool = False
    # Part of --quick.
    quick: bool = False
    # Where outputs are: in memory or on the disk.
    outputs: str = "memory"
    # Everyone runs once without counting, so that files come into memory; not where rows take long.
    warm: bool = True
    # How many times as many runs as others, for times of few milliseconds.
    times: int = 1


DPI = 144
TILE = 512


def windows(documents, recto, peers):
    large = documents["large"]
    places = [
        ("first", "large", 1, "the first page of"),
        ("middle", "large", large.pages // 2 + 1, "the middle page of"),
        ("last", "large", large.pages, "the last page of"),
        ("alone", "last", 1, "that page as a file of its own:"),
        ("small", "small", 1, "the only page of"),
        ("book", "fullrefman", 1200, "page 1,200 of"),
        ("drawing", "pgfmanual", 300, "page 300 of"),
        ("scan", "scan", 1, "the first page of"),
        ("map", "map", 1, "the only page of"),
        ("bookvol", "bookvol", documents["bookvol"].pages, "the last page of"),
    ]
    for id, name, page, words in places:
        document = documents[name]
        yield Row(
            f"window-{id}", "window",
            f"{words} {document.shown}" + (f" ({document.pages:,} pages)"
                                           if document.pages > 100 else ""),
            [
                recto.window(document, page),
                recto.window(document, page, cached=True),
                peers.poppler("pdftocairo", document, page, page, DPI),
                peers.poppler("pdftoppm", document, page, page, DPI),
                peers.mutool(document, page, page, DPI),
                peers.pdfium_command(document, page, page, DPI),
                peers.library("pdfium", "pages", document, page, page, DPI),
                peers.library("pymupdf", "pages", document, page, page, DPI),
                peers.vips(document, page, page, DPI),
            ],
            memory=id in ("last", "scan", "map"), quick=id in ("last", "alone", "book"))


def geometry(documents, recto, peers):
    for name in ("large", "fullrefman", "bookvol"):
        if name not in documents:
            continue
        document = documents[name]
        yield Row(
            f"sizes-{name}", "sizes", f"all {document.pages:,} page sizes of {document.shown}",
            [recto.layout(document, "--all"), recto.layout(document, "--all", cached=True),
             *peers.sizes(document)],
            memory=name == "large", quick=name == "large")
    large = documents["large"]
    last = str(large.pages)
    yield Row(
        "layout-window", "layout", f"one window at the last page of {large.shown}, as JSON",
        [recto.layout(large, "--page", last), recto.layout(large, "--page", last, cached=True)],
        memory=True, quick=True)


def ranges(documents, recto, peers):
    work = [
        ("fullrefman", 1001, 1040, 96, False), ("fullrefman", 1001, 1040, 192, True),
        ("pgfmanual", 301, 340, 192, False), ("mercatormap", 21, 60, 192, False),
        ("scan", 1, 4, 192, False),
    ]
    for name, first, last, dpi, everyone in work:
        document = documents[name]
        task = (document, first, last, dpi)
        entrants = [
            recto.pages(*task), recto.export(*task),
            peers.poppler("pdftocairo", *task), peers.poppler("pdftocairo", *task, peers.processes),
            peers.mutool(*task), peers.mutool(*task, peers.processes),
            peers.pdfium_command(*task), peers.pdfium_command(*task, peers.processes),
            peers.library("pymupdf", "pages", *task), peers.library("pymupdf", "pages", *task, peers.processes),
        ]
        if everyone:
            entrants += [
                peers.poppler("pdftoppm", *task), peers.poppler("pdftoppm", *task, peers.processes),
                peers.mutool(*task, flags=["-P"]),
                peers.library("pdfium", "pages", *task, 1, level=1),
                peers.library("pdfium", "pages", *task, peers.processes, level=1),
                peers.vips(*task), peers.vips(*task, peers.processes),
                peers.poppler("pdftoppm", *task, peers.processes, form=""), peers.mutool(*task, peers.processes, form="pnm"),
            ]
        yield Row(
            f"pages-{name}-{dpi}", "pages",
            f"pages {first:,} to {last:,} of {document.shown} at {dpi} dpi",
            entrants, memory=dpi == 192, quick=everyone, warm=False)


def jpegs(documents, recto, peers):
    for name, first, last in [("fullrefman", 1001, 1040), ("mercatormap", 21, 60), ("scan", 1, 4)]:
        document = documents[name]
        task = (document, first, last, 192)
        many = peers.processes
        yield Row(
            f"jpeg-{name}-192", "jpeg",
            f"pages {first:,} to {last:,} of {document.shown} at 192 dpi as JPEG",
            [
                recto.export(*task, "jpeg"),
                peers.poppler("pdftocairo", *task, form="-jpeg"), peers.poppler("pdftocairo", *task, many, "-jpeg"),
                peers.poppler("pdftoppm", *task, form="-jpeg"), peers.poppler("pdftoppm", *task, many, "-jpeg"),
                peers.pdfium_command(*task, form="jpg"), peers.pdfium_command(*task, many, "jpg"),
                peers.library("pdfium", "jpeg", *task), peers.library("pdfium", "jpeg", *task, many),
                peers.library("pymupdf", "jpeg", *task), peers.library("pymupdf", "jpeg", *task, many),
            ],
            memory=True, quick=name == "fullrefman", warm=False)


def thumbnails(documents, recto, peers):
    document = documents["fullrefman"]
    task = (document, 1, document.pages, 256)
    yield Row(
        "thumbs", "thumbs",
        f"thumbnails of 256 pixels of all {document.pages:,} pages of {document.shown}",
        [
            recto.thumbs(*task),
            peers.poppler_thumbs("pdftocairo", *task), peers.poppler_thumbs("pdftocairo", *task, peers.processes),
            peers.poppler_thumbs("pdftoppm", *task, peers.processes),
            peers.mutool_thumbs(*task), peers.mutool_thumbs(*task, peers.processes),
            peers.mutool_thumbs(*task, flags=["-P"]),
            peers.library("pdfium", "thumbs", *task), peers.library("pdfium", "thumbs", *task, peers.processes),
            peers.library("pymupdf", "thumbs", *task),
            peers.library("pymupdf", "thumbs", *task, peers.processes),
        ],
        memory=True, warm=False)


def on_disk(documents, recto, peers, kind):
    """Two rows again, with outputs and recto's cache on the disk; `kind` is its file system."""
    document = documents["fullrefman"]
    task, many = (document, 1001, 1040, 192), peers.processes
    yield Row(
        f"pages-fullrefman-192-{kind}", "pages",
        f"pages 1,001 to 1,040 of {document.shown} at 192 dpi, on the disk",
        [
            recto.pages(*task), recto.export(*task), peers.poppler("pdftocairo", *task, many),
            peers.mutool(*task, many), peers.library("pdfium", "pages", *task, many),
        ],
        outputs="disk", warm=False)
    task = (document, 1, document.pages, 256)
    yield Row(
        f"thumbs-{kind}", "thumbs",
        f"thumbnails of 256 pixels of all {document.pages:,} pages of {document.shown}, on the disk",
        [
            recto.thumbs(*task), peers.poppler_thumbs("pdftocairo", *task, many),
            peers.mutool_thumbs(*task, many), peers.library("pdfium", "thumbs", *task, many),
        ],
        outputs="disk", warm=False)


def zooms(documents, recto, peers):
    dpi = 16 * 72
    for name, page, x, y in [("map", 1, 18, 12), ("mercatormap", 30, 8, 8), ("scan", 1, 8, 8)]:
        document = documents[name]
        corner = (x * TILE, y * TILE, TILE)
        task = (document, page, dpi, *corner)
        yield Row(
            f"zoom-{name}", "zoom",
            f"a tile of 512 pixels of page {page} of {document.shown} at 1,600 %",
            [
                recto.tile(*task), recto.tile(*task, cached=True),
                peers.poppler_tile("pdftocairo", *task), peers.poppler_tile("pdftoppm", *task),
                peers.mutool(document, page, page, dpi).called("mutool draw, the whole page"),
                peers.library_tile("pdfium", *task), peers.library_tile("pymupdf", *task),
                peers.vips_tile(*task),
            ],
            memory=True, quick=name == "map")
