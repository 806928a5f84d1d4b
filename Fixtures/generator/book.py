"""book.pdf: twelve pages of a small book, drawn with cairo and set with Pango.

A5, text block by the canon that its own first chapter explains; four pages numbered in roman, eight
in arabic; the fourth of these is a landscape plate.
"""

import io

import cairo

from . import figures, picture
from .book_text import CHAPTERS, COLOPHON, EPIGRAPH, PLATE, SPECIMEN, SUBTITLE, TITLE
from .containers import qpdf
from .facts import Fixture, Page
from .typeset import SOFT_HYPHEN, Typesetter, broken, words

WIDTH, HEIGHT = 419.528, 595.276
INNER, TOP, OUTER = 46, 60, 60
MEASURE = WIDTH - INNER - OUTER
SIZE, LEADING, LINES = 13, 16.4, 27
LABELS = ["i", "ii", "iii", "iv", "1", "2", "3", "4", "5", "6", "7", "8"]
STARTS = {"The Leaf": "1", "The Measure": "3", "The Scroll": "5"}


class Book:
    """The pages under construction: one cairo context, one page after the other."""

    def __init__(self, file):
        self.surface = cairo.PDFSurface(file, WIDTH, HEIGHT)
        for key, value in (
            (cairo.PDFMetadata.TITLE, TITLE),
            (cairo.PDFMetadata.AUTHOR, "Recto"),
            (cairo.PDFMetadata.CREATE_DATE, "2024-01-01T00:00:00Z"),
            (cairo.PDFMetadata.MOD_DATE, "2024-01-01T00:00:00Z"),
        ):
            self.surface.set_metadata(key, value)
        self.context = cairo.Context(self.surface)
        self.set = Typesetter(self.context)
        self.page = 0
        self.begin()

    def begin(self):
        self.surface.set_page_label(LABELS[self.page])
        self.context.set_source_rgb(*figures.INK)
        self.y = TOP + SIZE

    @property
    def left(self):
        """Where the text block begins: pages with an even index are rectos, on the right."""
        return INNER if self.page % 2 == 0 else OUTER

    @property
    def centre(self):
        return self.left + MEASURE / 2

    def turn(self, width=WIDTH, height=HEIGHT):
        """Ends the page and begins the next one."""
        self.context.show_page()
        self.page += 1
        if self.page < len(LABELS):
            self.surface.set_size(width, height)
            self.begin()

    def folio(self, running=None):
        """Page number and running head at the foot and the head of the outer margin."""
        label, edge = LABELS[self.page], self.left + MEASURE
        recto = self.page % 2 == 0
        self.context.set_source_rgb(*figures.INK)
        place = self.set.right if recto else self.set.word
        place(label, edge if recto else self.left, TOP + LINES * LEADING + 26, 12)
        if running:
            self.set.centred(running.lower(), self.centre, TOP - 18, 11, "^")

    def paragraph(self, text, indent=0, size=SIZE, leading=LEADING, drop=None):
        """A justified paragraph at the cursor; goes on to the next page where this one is full."""
        pieces = words(text.replace("|", SOFT_HYPHEN))
        inset = 0
        if drop:
            first, style = pieces[0]
            inset = self.initial(first[0]) + 4
            pieces[:1] = [(first[1:], style)] if first[1:] else []

        def hang(k):
            return inset if k < 3 else 0

        def start(k):
            return hang(k) + (indent if k == 0 else 0)

        lines = list(broken(self.set, pieces, size, lambda k: MEASURE - start(k)))
        for k, line in enumerate(lines):
            if self.y > TOP + LINES * LEADING:
                self.folio()
                self.turn()
            x = self.left + start(k)
            self.set.line(line, x, self.y, size, MEASURE - start(k), k < len(lines) - 1)
            self.y += leading

    def initial(self, letter):
        """A red initial three lines high; returns its width."""
        self.context.set_source_rgb(*figures.RED)
        size = LEADING * 3 * 1.36
        width = self.set.word(letter, self.left - 1, self.y + LEADING * 2, size)
        self.context.set_source_rgb(*figures.INK)
        return width

    def caption(self, text, y):
        self.context.set_source_rgb(*figures.INK)
        self.set.centred(text, self.centre, y, 11, "*")

    def chapter(self, index):
        """Heading and text of a chapter; leaves the cursor below."""
        name, paragraphs, _ = CHAPTERS[index]
        self.surface.add_outline(0, name, f"page={self.page + 1} pos=[0 0]", 0)
        self.y += LEADING * 3
        self.set.centred(
            "chapter " + ("one", "two", "three")[index],
            self.centre,
            self.y - LEADING * 2.2,
            11,
            "^",
        )
        self.set.centred(name, self.centre, self.y, 28)
        figures.fleuron(self.context, self.centre, self.y + 18, 6)
        self.context.set_source_rgb(*figures.INK)
        self.y += LEADING * 3.2
        for i, text in enumerate(paragraphs):
            self.paragraph(text, 0 if i == 0 else 14, drop=i == 0)


def front(book):
    """Title, frontispiece, contents, epigraph: i to iv."""
    context, setter = book.context, book.set
    setter.centred("The Turning", book.centre, 190, 40)
    setter.centred("of the Page", book.centre, 234, 40)
    figures.fleuron(context, book.centre, 276, 13)
    context.set_source_rgb(*figures.INK)
    setter.centred(SUBTITLE, book.centre, 318, 15, "*")
    setter.centred("recto", book.centre, 496, 14, "^")
    book.turn()
    figures.rosette(context, book.centre, 265, 140)
    book.caption("Seventy-two circles", 448)
    book.turn()
    setter.centred("Contents", book.centre, 150, 28)
    figures.fleuron(context, book.centre, 168, 6)
    context.set_source_rgb(*figures.INK)
    entries = [(name, STARTS[name]) for name, _, _ in CHAPTERS]
    entries = entries[:2] + [("Plate", "4"), entries[2], ("Specimen", "7"), ("Colophon", "8")]
    for i, (name, label) in enumerate(entries):
        y = 220 + i * 27
        setter.word(name, book.left + 30, y, 15)
        setter.right(label, book.left + MEASURE - 30, y, 15)
        dots = book.left + 38 + setter.width(name, 15)
        while dots < book.left + MEASURE - 50:
            setter.word(".", dots, y, 10)
            dots += 7
    book.folio()
    book.turn()
    for i, line in enumerate(EPIGRAPH):
        setter.centred(line, book.centre, 220 + i * 22, 16, "*")
    book.folio()
    book.turn()


def chapters(book):
    """Pages 1 to 6, the plate among them."""
    context, setter = book.context, book.set
    bottom = TOP + LINES * LEADING
    book.chapter(0)
    width, height = 210, 157.5
    figures.canon(context, book.centre - width / 2, bottom - height - 20, width, height)
    book.caption(CHAPTERS[0][2], bottom)
    book.folio(CHAPTERS[0][0])
    book.turn()
    book.chapter(1)
    figures.sheets(context, setter, book.centre - 98, bottom - 158, 196)
    book.caption(CHAPTERS[1][2], bottom)
    book.folio()
    book.turn(HEIGHT, WIDTH)
    plate(book)
    book.turn()
    book.chapter(2)
    figures.ribbon(context, setter, book.left, bottom - 100, MEASURE, 76)
    book.caption(CHAPTERS[2][2], bottom)
    book.folio(CHAPTERS[2][0])
    book.turn()


def plate(book):
    """The landscape page: a picture across it and a caption below."""
    context = book.context
    image = picture.ridges(560, 315)
    width = HEIGHT - 2 * 54
    scale = width / image.get_width()
    context.save()
    context.translate(54, 44)
    context.scale(scale, scale)
    context.set_source_surface(image)
    context.paint()
    context.restore()
    context.set_source_rgb(*figures.INK)
    context.set_line_width(0.6)
    context.rectangle(54, 44, width, image.get_height() * scale)
    context.stroke()
    book.set.centred(PLATE, HEIGHT / 2, 44 + image.get_height() * scale + 26, 12, "*")
    book.set.word(LABELS[book.page], 54, WIDTH - 32, 12)


def back(book):
    """Type specimen and colophon: 7 and 8."""
    context, setter = book.context, book.set
    y = TOP + 50
    setter.centred("Specimen", book.centre, y, 28)
    figures.fleuron(context, book.centre, y + 18, 6)
    y += 40
    context.set_line_width(0.4)
    for size, text in SPECIMEN:
        y += size * 1.1 + 14
        context.set_source_rgb(*figures.RED)
        setter.word(str(size), book.left, y - size * 0.9 - 2, 7)
        context.set_source_rgb(*figures.INK)
        fitted = min(size, size * MEASURE / setter.width(text, size))
        setter.word(text, book.left, y, fitted)
        context.set_source_rgba(*figures.INK, 0.35)
        figures.lines(
            context, (book.left, y + size * 0.3 + 3, book.left + MEASURE, y + size * 0.3 + 3)
        )
    for i, (style, text) in enumerate(
        (("*", "Italics lean and hurry on"), ("^", "small capitals stand in line"))
    ):
        context.set_source_rgb(*figures.INK)
        setter.word(text, book.left, y + 40 + i * 30, 19, style)
    book.folio()
    book.turn()
    figures.rosette(context, book.centre, 170, 46, 24)
    context.set_source_rgb(*figures.INK)
    book.y = 270
    book.paragraph(COLOPHON)
    book.folio()
    book.turn()


def make():
    file = io.BytesIO()
    book = Book(file)
    front(book)
    chapters(book)
    back(book)
    book.surface.finish()
    assert book.page == len(LABELS), f"{book.page} pages"
    pages = [Page(WIDTH, HEIGHT, label=label) for label in LABELS]
    pages[LABELS.index("4")] = Page(HEIGHT, WIDTH, label="4")
    # cairo writes an object for every word of its structure; packed, they are hardly there.
    packing = ["--object-streams=generate", "--recompress-flate", "--compression-level=9"]
    data = qpdf(file.getvalue(), *packing, "--deterministic-id")
    shows = (
        "the sample: embedded fonts, drawings, a picture, a landscape plate, labels i–iv and 1–8"
    )
    return Fixture("book.pdf", shows, data, pages, title=TITLE, by="cairo, Pango, qpdf")
