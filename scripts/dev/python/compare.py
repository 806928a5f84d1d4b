"""Examples from the documentation of pdf2image 1.17 and pypdfium2, run with these and with recto.

Those of pdf2image are run as they are, and with `pdf2image` in the imports changed to `recto.pdf2image`. Those of
pypdfium2 are run as they are, and as docs/PYTHON.md writes them. The paths of documents are changed in both. What an
example leaves in the variables named is compared: pictures by number, size, mode, format and mean difference.
"""

import contextlib
import difflib
import pathlib
import shutil
import sys
import tempfile

import numpy
import PIL.Image

ROOT = pathlib.Path(__file__).resolve().parents[3]

#: The largest mean difference of two pictures, of 255: recto places glyphs and lines where the document has them.
TOLERANCE = 8

#: The least part of words that are the same: each decides by itself what is a space, and what is in a rectangle.
LIKENESS = 0.9

#: Source, names of results, code.
PDF2IMAGE = [
    ("README", "images", """
from pdf2image import convert_from_path, convert_from_bytes
from pdf2image.exceptions import (
    PDFInfoNotInstalledError,
    PDFPageCountError,
    PDFSyntaxError
)

images = convert_from_path('example.pdf')
"""),
    ("README", "images", """
from pdf2image import convert_from_bytes
images = convert_from_bytes(open('example.pdf', 'rb').read())
"""),
    ("README", "images", """
from pdf2image import convert_from_path
import tempfile

with tempfile.TemporaryDirectory() as path:
    images_from_path = convert_from_path('example.pdf', output_folder=path)
    # Do something here
    images = [image.copy() for image in images_from_path]
"""),
    ("overview", "images", """
from pdf2image import convert_from_path, convert_from_bytes

images = convert_from_path("example.pdf")

# OR

with open("example.pdf","rb") as pdf:
    images = convert_from_bytes(pdf.read())
"""),
    ("overview", "images_from_path", """
from pdf2image import convert_from_path
images_from_path = convert_from_path("example.pdf", fmt="jpeg")
"""),
    ("README, size=400", "images", """
from pdf2image import convert_from_path
images = convert_from_path("example.pdf", size=400)
"""),
    ("README, size=(400, None)", "images", """
from pdf2image import convert_from_path
images = convert_from_path("example.pdf", size=(400, None))
"""),
    ("README, size=(500, 500)", "images", """
from pdf2image import convert_from_path
images = convert_from_path("example.pdf", size=(500, 500))
"""),
    ("README, jpegopt", "images", """
from pdf2image import convert_from_path
images = convert_from_path(
    "example.pdf", fmt="jpeg", jpegopt={"quality": 100, "progressive": True, "optimize": True}
)
"""),
    ("README, grayscale", "images", """
from pdf2image import convert_from_path
images = convert_from_path("example.pdf", grayscale=True)
"""),
    ("README, single_file", "names", """
from pdf2image import convert_from_path
import os, tempfile
with tempfile.TemporaryDirectory() as path:
    images = convert_from_path("example.pdf", output_folder=path, output_file="test", single_file=True)
    names = sorted(os.listdir(path))
"""),
    ("README, paths_only", "names", """
from pdf2image import convert_from_path
import os, tempfile
with tempfile.TemporaryDirectory() as path:
    paths = convert_from_path("example.pdf", output_folder=path, output_file="page", paths_only=True)
    names = [os.path.basename(path) for path in paths]
"""),
    ("README, use_pdftocairo", "images", """
from pdf2image import convert_from_path
images = convert_from_path("example.pdf", use_pdftocairo=True)
"""),
    ("README, timeout", "images", """
from pdf2image import convert_from_path
images = convert_from_path("example.pdf", timeout=600)
"""),
    ("README, poppler_path", "images", """
from pdf2image import convert_from_path
images = convert_from_path("example.pdf", poppler_path="/usr/bin")
"""),
    ("README, performance tips", "names", """
from pdf2image import convert_from_path
import os, tempfile
with tempfile.TemporaryDirectory() as path:
    convert_from_path("example.pdf", output_folder=path, output_file="page", thread_count=4, fmt="jpeg")
    names = sorted(os.listdir(path))
"""),
    ("README, pdfinfo_from_path", "info", """
from pdf2image import pdfinfo_from_path
info = pdfinfo_from_path("example.pdf")
"""),
    ("README, pdfinfo_from_bytes", "info", """
from pdf2image import pdfinfo_from_bytes
info = pdfinfo_from_bytes(open("example.pdf", "rb").read())
"""),
    ("reference, transparent", "images", """
from pdf2image import convert_from_path
images = convert_from_path("example.pdf", dpi=50, fmt="png", transparent=True, first_page=1, last_page=2)
"""),
    ("reference, fmt", "images", """
from pdf2image import convert_from_path
images = convert_from_path("example.pdf", dpi=50, fmt="tiff", first_page=2, last_page=3)
"""),
    ("reference, exceptions", "caught", """
from pdf2image import convert_from_path
from pdf2image.exceptions import PDFPageCountError
caught = []
for path in ("no.pdf", "missing.pdf", "locked.pdf"):
    try:
        convert_from_path(path)
    except PDFPageCountError:
        caught.append(path)
"""),
    ("reference, userpw, ownerpw", "sizes", """
from pdf2image import convert_from_path
sizes = [
    image.size for passwords in ({"userpw": "secret"}, {"ownerpw": "owner"})
    for image in convert_from_path("locked.pdf", dpi=50, **passwords)
]
"""),
]

#: Names of results, the code for pypdfium2 and the code for recto.
PYPDFIUM2 = [
    ("README, open", "count, number", """
import pypdfium2 as pdfium
pdf = pdfium.PdfDocument("example.pdf")
version = pdf.get_version()  # get the PDF standard version
n_pages = len(pdf)  # get the number of pages in the document
page = pdf[0]  # load a page
count, number = n_pages, version / 10
""", """
import recto
doc = recto.open("example.pdf")
page = doc[0]
count, number = len(doc), float(doc.info()["pdfVersion"])
"""),
    ("README, render", "images", """
import pypdfium2 as pdfium
pdf = pdfium.PdfDocument("example.pdf")
images = [page.render(scale=1, rotation=0).to_pil() for page in pdf]
""", """
import recto
images = list(recto.open("example.pdf").images(dpi=72))
"""),
    ("README, to_numpy", "images", """
import PIL.Image, pypdfium2 as pdfium
array = pdfium.PdfDocument("example.pdf")[0].render(scale=2).to_numpy()
images = [PIL.Image.fromarray(array[:, :, ::-1])]
""", """
import PIL.Image, recto
images = [PIL.Image.fromarray(recto.open("example.pdf")[0].array(dpi=144))]
"""),
    ("README, get_size", "sizes", """
import pypdfium2 as pdfium
pdf = pdfium.PdfDocument("example.pdf")
sizes = [tuple(round(side, 2) for side in page.get_size()) for page in pdf]
""", """
import recto
sizes = [tuple(round(side, 2) for side in page.size) for page in recto.open("example.pdf")]
"""),
    ("README, get_text_bounded", "text", """
import pypdfium2 as pdfium
text = pdfium.PdfDocument("example.pdf")[4].get_textpage().get_text_bounded()
""", """
import recto
text = recto.open("example.pdf")[4].text()
"""),
    ("README, get_text_bounded of a rectangle", "text", """
import pypdfium2 as pdfium
page = pdfium.PdfDocument("example.pdf")[4]
width, height = page.get_size()
text = page.get_textpage().get_text_bounded(left=50, bottom=100, right=width-50, top=height-100)
""", """
import recto
page = recto.open("example.pdf")[4]
width, height = page.size
text = page.text(recto.Box(50, 100, width - 100, height - 200))
"""),
    ("README, search", "count", """
import pypdfium2 as pdfium
searcher = pdfium.PdfDocument("example.pdf")[4].get_textpage().search("leaf", match_case=False, match_whole_word=False)
count = len(list(iter(searcher.get_next, None)))
""", """
import recto
count = len(list(recto.open("example.pdf").search("leaf", pages=[4])))
"""),
    ("README, get_toc", "toc", """
import pypdfium2 as pdfium
toc = [(bm.level, bm.get_title(), bm.get_dest().get_index()) for bm in pdfium.PdfDocument("example.pdf").get_toc(max_depth=15)]
""", """
import recto
toc = [(item.level, item.title, item.page - 1) for item in recto.open("example.pdf").outline()]
"""),
]


def results(code, names):
    """What an example leaves in its variables."""
    variables = {}
    exec(code, variables)
    return [variables[name] for name in names.split(", ")]


def difference(image, other):
    if image.size != other.size:
        return 255
    return numpy.abs(numpy.asarray(image).astype(int) - numpy.asarray(other).astype(int)).mean()


def problems(theirs, ours):
    """What is different, and how much pictures and texts are alike."""
    if isinstance(theirs, str):
        likeness = difflib.SequenceMatcher(None, theirs.split(), ours.split(), autojunk=False).ratio()
        text = f"{likeness:.1%} of the words"
        return ([text] if likeness < LIKENESS else []), text
    if not isinstance(theirs, list) or not theirs or not isinstance(theirs[0], PIL.Image.Image):
        if isinstance(theirs, dict):
            # recto leaves some properties out.
            theirs = {name: value for name, value in theirs.items() if name in ours}
        return ([] if theirs == ours else [f"{theirs} and {ours}"]), ""
    kinds = [[(image.size, image.mode, image.format) for image in images] for images in (theirs, ours)]
    if kinds[0] != kinds[1]:
        return [f"{kinds[0]} and {kinds[1]}"], ""
    mean = max(difference(image, other) for image, other in zip(theirs, ours))
    text = f"{len(ours)} pictures, mean difference {mean:.2f} of 255 at most"
    return ([text] if mean > TOLERANCE else []), text


def compare(source, names, theirs, ours):
    try:
        pairs = zip(results(theirs, names), results(ours, names))
        found = [problems(*pair) for pair in pairs]
    except Exception as problem:
        found = [([repr(problem)], "")]
    wrong = [problem for some, _ in found for problem in some]
    texts = wrong or [text for _, text in found if text]
    print(f"{'differs' if wrong else 'same   '}  {source}" + (": " if texts else "") + "; ".join(texts))
    return not wrong


def main():
    document = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "Fixtures/book.pdf").resolve()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        shutil.copy(document, "example.pdf")
        shutil.copy(ROOT / "Fixtures/not-a-pdf.pdf", "no.pdf")
        shutil.copy(ROOT / "Fixtures/encrypted.pdf", "locked.pdf")
        print("pdf2image, with the import changed:")
        same = [
            compare(source, names, code, code.replace("from pdf2image", "from recto.pdf2image"))
            for source, names, code in PDF2IMAGE
        ]
        print("pypdfium2, written as in docs/PYTHON.md:")
        same += [compare(source, names, theirs, ours) for source, names, theirs, ours in PYPDFIUM2]
    print(f"{sum(same)} of {len(same)} examples are the same")
    sys.exit(0 if all(same) else 1)


if __name__ == "__main__":
    main()
