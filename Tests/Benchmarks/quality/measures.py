"""How far a picture is from the page as it would look with any number of pixels.

That page is the same one, drawn by the same program many times larger and averaged down: what a program does otherwise
on purpose, such as the color of an image, is not counted against it. The page is at least eight times larger, and at
least as large as at 768 dots per inch.

A scan has pixels of its own, and these are averaged in place of a drawing: programs that all lose the same at any size
would agree with themselves.
"""

import functools
import subprocess
import tempfile
from pathlib import Path

import numpy
import PIL.Image
import skimage.metrics

from .programs import gray, size

# Kind and value: how many times larger the reference is.
FACTORS = {("thumbnail", 256): 16, ("page", 48): 16}


@functools.lru_cache(maxsize=1)
def drawn(program, page, kind, value):
    """Kept for the next program, which may have the same reference."""
    return getattr(program, kind)(page, value)


@functools.lru_cache(maxsize=1)
def scanned(page):
    """The only picture on a page, which it fills."""
    with tempfile.TemporaryDirectory() as folder:
        number = str(page.number)
        subprocess.run(["pdfimages", "-png", "-f", number, "-l", number, page.path, f"{folder}/scan"], check=True)
        picture, = Path(folder).iterdir()
        return gray(PIL.Image.open(picture))


def averaged(large, shape, steps):
    """A picture of so many rows and columns, of which each pixel is the average of an area of another.

    `steps` are the rows and columns of that area. Beyond its edges is white paper.
    """
    def along(ink, count, step):
        sums = numpy.concatenate([numpy.zeros((1, ink.shape[1])), numpy.cumsum(ink, axis=0)])
        edges = numpy.minimum(numpy.arange(count + 1) * step, len(ink))
        whole = edges.astype(int)
        part = (edges - whole)[:, None] * ink[numpy.minimum(whole, len(ink) - 1)]
        return numpy.diff(sums[whole] + part, axis=0) / step

    ink = along(255 - large.astype(numpy.float64), shape[0], steps[0])
    return 255 - along(ink.T, shape[1], steps[1]).T


def measure(program, page, kind, value):
    """The picture, its reference, the root mean square of their difference in gray levels, and their SSIM.

    `kind` is page, `value` in dots per inch, or thumbnail, in pixels of its longer side.

    Where a page is not a whole number of pixels wide, some programs stretch it, and others leave a part of the last
    column empty. What is nearer counts.
    """
    picture = getattr(program, kind)(page, value)
    if page.kind == "scans":
        large = scanned(page)
        width, height = size(page)
        scale = value / 72 if kind == "page" else value / max(width, height)
        exact = large.shape[0] / (height * scale), large.shape[1] / (width * scale)
    else:
        factor = FACTORS.get((kind, value), 8)
        large = drawn(program.reference, page, kind, value * factor)
        exact = factor, factor
    stretched = [many / few for many, few in zip(large.shape, picture.shape)]
    return min((compared(picture, averaged(large, picture.shape, steps)) for steps in (exact, stretched)),
               key=lambda result: result[2])


def compared(picture, reference):
    distance = float(((picture - reference) ** 2).mean() ** 0.5)
    similarity = skimage.metrics.structural_similarity(picture, reference.astype(numpy.float32), data_range=255)
    return picture, reference, distance, float(similarity)
