"""Pictures of the same detail, drawn by everyone, beside each other."""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont

from . import lines, measures

# Name, title of the page, kind and value of its size, left and top of the detail as a share of the page, how many times
# larger it is shown.
DETAILS = [
    ("text-48", "book p. 3", "page", 48, 0.18, 0.33, 4),
    ("text-96", "fullrefman p. 1,200", "page", 96, 0.12, 0.11, 1),
    ("text-96-large", "fullrefman p. 1,200", "page", 96, 0.315, 0.125, 4),
    ("cjk-96", "debian-reference.zh-cn p. 100", "page", 96, 0.09, 0.33, 4),
    ("thumbnail", "bookvol10.5 p. 500", "thumbnail", 256, 0.24, 0.19, 4),
    ("drawing-48", "pgfplots p. 100", "page", 48, 0.17, 0.08, 4),
    ("lines-48", "lines p. 1", "page", 48, 0, 0.42, 2),
    ("map-48", "map p. 1", "page", 48, 0.3, 0.3, 4),
    ("soft-mask-48", "pgfmanual p. 1", "page", 48, 0.17, 0.34, 1),
    ("scan-thumbnail", "scan p. 1", "thumbnail", 256, 0.1, 0.1, 4),
]
# Of a panel, in pixels of the picture.
WIDTH, HEIGHT, TITLE, MARGIN = 320, 160, 18, 8


def write(root, pages, everyone):
    for drawing in (rasterizers, repairs, words):
        drawing(root, everyone[0].program)
    with tempfile.TemporaryDirectory() as folder:
        details(root, [*pages, lines.page(Path(folder) / "lines.pdf")], everyone)


def details(root, pages, everyone):
    by_title = {page.title: page for page in pages}
    for name, title, kind, value, left, top, zoom in DETAILS:
        page = by_title[title]
        panels = []
        for program in everyone:
            if program.name == "pdftocairo":
                continue  # The pixels of --text poppler.
            picture, reference, _, _ = measures.measure(program, page, kind, value)
            if not panels:
                panels.append(("as it would look", reference))
            panels.append((program.name, picture))
        sheet(panels, left, top, zoom).save(root / f"docs/pictures/quality-{name}.png", optimize=True)


def rasterizers(root, program):
    """What cairo draws wrong in a row, and the same pages as recto draws them below."""
    command = [program, "pages", root / "Fixtures/rasterizers.pdf", "--dpi", "72", "-o", "{page}.png"]
    old = ["--rasterizer", "cairo", "--text", "poppler"]
    two_rows([("recto " + " ".join(old), [*command, *old]), ("recto", command)], 5).save(
        root / "docs/pictures/quality-rasterizers.png", optimize=True)


def repairs(root, program):
    """Pages with a fault as poppler draws them, and as recto draws them below."""
    file = root / "Fixtures/repairs.pdf"
    two_rows([("pdftocairo", ["pdftocairo", "-png", "-r", "72", file, "page"]),
              ("recto", [program, "pages", file, "--dpi", "72", "-o", "{page}.png"])], 4).save(
        root / "docs/pictures/quality-repairs.png", optimize=True)


def two_rows(rows, count):
    """The pictures that each of two commands writes, under the command's name."""
    side = 200
    result = PIL.Image.new("RGB", (count * (side + MARGIN) + MARGIN, 2 * (side + TITLE + MARGIN) + MARGIN), "#ddd")
    draw = PIL.ImageDraw.Draw(result)
    for row, (name, command) in enumerate(rows):
        y = MARGIN + row * (side + TITLE + MARGIN)
        draw.text((MARGIN, y), name, fill="black", font=PIL.ImageFont.load_default(13))
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(command, check=True, cwd=folder, stderr=subprocess.DEVNULL)
            for place, picture in enumerate(sorted(Path(folder).glob("*.png"))):
                result.paste(PIL.Image.open(picture).convert("RGB"), (MARGIN + place * (side + MARGIN), y + TITLE))
    return result


def words(root, program):
    """A page with slanted text, and on it where its words are."""
    zoom, file = 2, root / "Fixtures/text-geometry.pdf"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "pages", file, "5", "--dpi", str(72 * zoom), "-o", f"{folder}/{{page}}.png"], check=True)
        picture = PIL.Image.open(f"{folder}/5.png").convert("RGB")
    text = json.loads(subprocess.run([program, "text", file, "5", "--json"], check=True, capture_output=True).stdout)
    draw = PIL.ImageDraw.Draw(picture)
    for word in (word for block in text["blocks"] for line in block["lines"] for word in line["words"]):
        x, y, width, height = (zoom * word[key] for key in ("x", "y", "width", "height"))
        draw.rectangle((x, y, x + width, y + height), outline="#9cf", width=1)
        if "quad" in word:
            draw.polygon([(zoom * corner["x"], zoom * corner["y"]) for corner in word["quad"]], outline="#c00", width=2)
    picture.save(root / "docs/pictures/quality-words.png", optimize=True)


def sheet(panels, left, top, zoom):
    """Two columns of panels with their names."""
    rows = (len(panels) + 1) // 2
    result = PIL.Image.new("L", (2 * WIDTH + 3 * MARGIN, rows * (HEIGHT + TITLE + MARGIN) + MARGIN), 221)
    draw = PIL.ImageDraw.Draw(result)
    for place, (name, picture) in enumerate(panels):
        height, width = HEIGHT // zoom, WIDTH // zoom
        y = min(int(top * picture.shape[0]), max(picture.shape[0] - height, 0))
        x = min(int(left * picture.shape[1]), max(picture.shape[1] - width, 0))
        detail = picture[y:y + height, x:x + width].round().clip(0, 255).astype(numpy.uint8)
        image = PIL.Image.fromarray(detail)
        image = image.resize((image.width * zoom, image.height * zoom), PIL.Image.Resampling.NEAREST)
        corner = MARGIN + place % 2 * (WIDTH + MARGIN), MARGIN + place // 2 * (HEIGHT + TITLE + MARGIN)
        draw.text(corner, name, fill=0, font=PIL.ImageFont.load_default(13))
        result.paste(image, (corner[0], corner[1] + TITLE))
    return result
