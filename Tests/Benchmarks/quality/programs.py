"""The programs that draw. Each gives a picture as gray levels, in an array of floating-point numbers.

`reference` is what draws a page much larger: the program itself, or one that draws the same pixels in less time.
"""

import io
import math
import subprocess
import tempfile
from pathlib import Path

import numpy
import PIL.Image
import pypdfium2
import pypdfium2.raw

PIL.Image.MAX_IMAGE_PIXELS = None
# Pixels of a picture of Recto; its limit is a little higher.
LARGEST = 90_000_000


def gray(image):
    return numpy.asarray(image.convert("RGB").convert("L"), dtype=numpy.float32)


def size(page):
    """Width and height in points."""
    return pypdfium2.PdfDocument(page.path)[page.number - 1].get_size()


def output(*arguments):
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, check=True)
    return gray(PIL.Image.open(io.BytesIO(done.stdout)))


class Recto:
    def __init__(self, program, text):
        self.program, self.text, self.name, self.reference = program, text, f"recto --text {text}", self

    def draw(self, page, dpi, *options):
        return output(self.program, "pages", page.path, page.number, "--dpi", dpi, "--text", self.text,
                      "--memory", 16000, "--timeout", 600, "-o", "-", "--no-cache", *options)

    def page(self, page, dpi):
        """In bands, if it has more pixels than a picture may have."""
        width, height = size(page)
        rows = int(LARGEST // (width * dpi / 72))
        if rows > height * dpi / 72:
            return self.draw(page, dpi)
        band = rows * 72 / dpi
        tops = numpy.arange(0, height, band)
        return numpy.concatenate([self.draw(page, dpi, "--crop", f"0,{top},{width},{min(band, height - top)}")
                                  for top in tops])

    def thumbnail(self, page, side):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([self.program, "thumbs", page.path, "--pages", str(page.number), "--size", str(side),
                            "--text", self.text, "--no-cache", "-o", folder],
                           check=True, stdout=subprocess.DEVNULL)
            return gray(PIL.Image.open(next(Path(folder).iterdir())))


class Poppler:
    def __init__(self, name, reference=None):
        self.name, self.reference = name, reference or self

    def draw(self, page, *options):
        form = ["-png"] if self.name == "pdftocairo" else []
        return output(self.name, *form, "-singlefile", "-f", page.number, "-l", page.number, *options, page.path,
                      *(["-"] if form else []))

    def page(self, page, dpi):
        return self.draw(page, "-r", dpi)

    def thumbnail(self, page, side):
        return self.draw(page, "-scale-to", side)


class Mutool:
    name = "mutool draw"

    @property
    def reference(self):
        return self

    def draw(self, page, *options):
        return output("mutool", "draw", "-q", "-F", "pnm", *options, "-o", "-", page.path, page.number)

    def page(self, page, dpi):
        return self.draw(page, "-r", dpi)

    def thumbnail(self, page, side):
        return self.draw(page, "-w", side, "-h", side)


class PDFium:
    name = "PDFium"

    @property
    def reference(self):
        return self

    def page(self, page, dpi):
        """By a matrix: otherwise the page is stretched to whole pixels, and no two scales lie upon each other."""
        scale = dpi / 72
        document = pypdfium2.PdfDocument(page.path)
        drawn = document[page.number - 1]
        width, height = (math.ceil(side * scale) for side in drawn.get_size())
        bitmap = pypdfium2.PdfBitmap.new_native(width, height, pypdfium2.raw.FPDFBitmap_BGRx)
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        pypdfium2.raw.FPDF_RenderPageBitmapWithMatrix(
            bitmap, drawn, pypdfium2.raw.FS_MATRIX(scale, 0, 0, scale, 0, 0),
            pypdfium2.raw.FS_RECTF(0, 0, width, height), pypdfium2.raw.FPDF_ANNOT)
        return gray(bitmap.to_pil())

    def thumbnail(self, page, side):
        drawn = pypdfium2.PdfDocument(page.path)[page.number - 1]
        return gray(drawn.render(scale=side / max(drawn.get_size())).to_pil())


def all_programs(recto):
    poppler = Recto(recto, "poppler")
    return [Recto(recto, "precise"), poppler, Poppler("pdftocairo", poppler), Poppler("pdftoppm"), Mutool(), PDFium()]


def versions(recto):
    """Names and versions of everyone."""
    def said(*arguments):
        done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True)
        return (done.stdout + done.stderr).splitlines()[0]
    return [said(recto, "--version"), f"poppler-utils {said('pdftocairo', '-v').split()[-1]}", said("mutool", "-v"),
            f"PDFium {pypdfium2.PDFIUM_INFO}"]
