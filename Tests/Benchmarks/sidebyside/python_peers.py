"""The peers that are Python libraries, used as their documentation shows; run by the peers' Python.

    python_peers.py pdfium|pymupdf pages FILE FIRST LAST SCALE OUT [pillow's compress_level]
    python_peers.py pdfium|pymupdf jpeg FILE FIRST LAST SCALE OUT QUALITY
    python_peers.py pdfium|pymupdf thumbs FILE FIRST LAST SIDE OUT [pillow's compress_level]
    python_peers.py pdfium|pymupdf tile FILE PAGE SCALE X Y SIDE OUT
    python_peers.py pdfium|pymupdf sizes FILE
    python_peers.py pdfium|pymupdf|pypdf text FILE FIRST LAST OUT    FILE can be an address, but not for pymupdf
    python_peers.py pdfium|pymupdf search FILE FIRST LAST WORD
    python_peers.py pdfium|pymupdf documents SIDE OUT FILE...    a thumbnail of the first page of each

On standard error it says how long the work itself took, without starting Python; but not for
documents, of which it gets a part at a time.
"""

import sys
import time
from pathlib import Path


def opened_remotely(address):
    """A file that fetches what is read of it, as fsspec does without options."""
    import fsspec
    return fsspec.open(address).open()


class Pdfium:
    def __init__(self, path):
        import pypdfium2
        self.document = pypdfium2.PdfDocument(opened_remotely(path) if "://" in path else path)

    def sizes(self):
        return [self.document.get_page_size(index) for index in range(len(self.document))]

    def page(self, number, scale, out, *options):
        self.save(self.document[number - 1].render(scale=scale), out, *options)

    def jpeg(self, number, scale, out, quality):
        self.document[number - 1].render(scale=scale).to_pil().save(out, quality=int(quality))

    def thumb(self, number, side, out, *options):
        page = self.document[number - 1]
        self.save(page.render(scale=side / max(page.get_size())), out, *options)

    def tile(self, number, scale, x, y, side, out):
        page = self.document[number - 1]
        width, height = page.get_size()
        crop = (x / scale, height - (y + side) / scale, width - (x + side) / scale, y / scale)
        self.save(page.render(scale=scale, crop=crop), out)

    def text(self, number):
        return self.document[number - 1].get_textpage().get_text_bounded()

    def search(self, number, word):
        found = self.document[number - 1].get_textpage().search(word)
        count = 0
        while found.get_next():
            count += 1
        return count

    @staticmethod
    def save(bitmap, out, level=None):
        options = {} if level is None else {"compress_level": int(level)}
        bitmap.to_pil().save(out, **options)


class Pypdf:
    def __init__(self, path):
        import pypdf
        self.document = pypdf.PdfReader(opened_remotely(path))

    def text(self, number):
        return self.document.pages[number - 1].extract_text()


class PyMuPDF:
    def __init__(self, path):
        import pymupdf
        self.library = pymupdf
        self.document = pymupdf.open(path)

    def sizes(self):
        return [self.document.page_cropbox(index) for index in range(len(self.document))]

    def page(self, number, scale, out):
        matrix = self.library.Matrix(scale, scale)
        self.document[number - 1].get_pixmap(matrix=matrix).save(out)

    def jpeg(self, number, scale, out, quality):
        matrix = self.library.Matrix(scale, scale)
        self.document[number - 1].get_pixmap(matrix=matrix).save(out, jpg_quality=int(quality))

    def thumb(self, number, side, out):
        page = self.document[number - 1]
        scale = side / max(page.rect.width, page.rect.height)
        page.get_pixmap(matrix=self.library.Matrix(scale, scale)).save(out)

    def tile(self, number, scale, x, y, side, out):
        clip = self.library.Rect(x, y, x + side, y + side) / scale
        page = self.document[number - 1]
        page.get_pixmap(matrix=self.library.Matrix(scale, scale), clip=clip).save(out)

    def text(self, number):
        return self.document[number - 1].get_text()

    def search(self, number, word):
        return len(self.document[number - 1].search_for(word))


def documents(kind, side, out, *paths):
    for path in paths:
        kind(path).thumb(1, float(side), f"{out}/{Path(path).stem}.png")


def texts(opened, first, last, out):
    with open(f"{out}/{first}.txt", "w", encoding="utf-8", errors="replace", newline="") as file:
        for number in range(int(first), int(last) + 1):
            file.write(opened.text(number) + "\f")


def search(opened, first, last, word):
    for number in range(int(first), int(last) + 1):
        hits = opened.search(number, word)
        if hits:
            print(f"{number}: {hits}")


def main(library, work, path, *rest):
    kind = {"pdfium": Pdfium, "pymupdf": PyMuPDF, "pypdf": Pypdf}[library]
    if library == "pdfium":
        import pypdfium2, PIL.Image  # noqa: E401, F401: loading is not part of the work
    elif library == "pymupdf":
        import pymupdf  # noqa: F401
    if work == "documents":
        return documents(kind, path, *rest)
    begun = time.perf_counter()
    opened = kind(path)
    if work == "sizes":
        assert len(opened.sizes()) > 0
    elif work == "tile":
        page, scale, x, y, side = (float(word) for word in rest[:5])
        opened.tile(int(page), scale, x, y, side, f"{rest[5]}/tile.png")
    elif work in ("text", "search"):
        {"text": texts, "search": search}[work](opened, *rest)
    else:
        first, last, measure, out, *options = rest
        draw = {"pages": opened.page, "jpeg": opened.jpeg, "thumbs": opened.thumb}[work]
        ending = "jpg" if work == "jpeg" else "png"
        for number in range(int(first), int(last) + 1):
            draw(number, float(measure), f"{out}/{number}.{ending}", *options)
    print(f"seconds {time.perf_counter() - begun:.6f}", file=sys.stderr)


main(*sys.argv[1:])
