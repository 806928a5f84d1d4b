"""Inputs of our own making: a page like a map, a small page, and pages like scans."""

import io
import math
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Fixtures"))
sys.dont_write_bytecode = True
from generator.pdf import PDF, Sheet, document  # noqa: E402

MAP_SIZE = (1190.55, 841.89)


def map_page(seed=7):
    """A town at large scale: contour lines, blocks of houses, streets: about 100,000 points.

    Everything is drawn as plain paths, so that no reader gains by fonts or images.
    """
    dice = random.Random(seed)
    width, height = MAP_SIZE
    out = [f"0.97 0.96 0.92 rg 0 0 {width} {height} re f"]
    out += contours(dice, width, height)
    out += houses(dice, width, height)
    out += streets(dice, width, height)
    return document([Sheet((0, 0, width, height), "\n".join(out))], compress=True)


def contours(dice, width, height, count=160):
    yield "0.35 w 0.72 0.6 0.44 RG"
    centres = [(dice.uniform(0, width), dice.uniform(0, height)) for _ in range(6)]
    for number in range(count):
        x, y = centres[number % len(centres)]
        radius = 8 + 5 * (number // len(centres))
        waves = [(k, dice.uniform(0, 6.3), dice.uniform(0, 0.5) / k) for k in range(2, 7)]
        points = []
        for step in range(240):
            angle = step * math.tau / 240
            reach = radius * (1 + sum(a * math.sin(k * angle + p) for k, p, a in waves) * 0.35)
            points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
        path = [f"{points[0][0]:.2f} {points[0][1]:.2f} m"]
        path += [f"{px:.2f} {py:.2f} l" for px, py in points[1:]]
        yield " ".join(path) + " s"


def houses(dice, width, height, pitch=7.5):
    yield "0.2 w 0.45 0.4 0.36 RG"
    rows, columns = int(height / pitch), int(width / pitch)
    for row in range(rows):
        for column in range(columns):
            if row % 6 == 0 or column % 9 == 0 or dice.random() < 0.25:
                continue
            x = (column + dice.uniform(0.05, 0.3)) * pitch
            y = (row + dice.uniform(0.05, 0.3)) * pitch
            w, h = dice.uniform(2, 4.6), dice.uniform(2, 4.6)
            notch = dice.uniform(0.3, 0.8)
            tint = dice.uniform(0.7, 0.86)
            yield (f"{tint:.2f} {tint - 0.06:.2f} {tint - 0.12:.2f} rg {x:.2f} {y:.2f} m "
                   f"{x + w:.2f} {y:.2f} l {x + w:.2f} {y + h * notch:.2f} l "
                   f"{x + w * notch:.2f} {y + h * notch:.2f} l {x + w * notch:.2f} {y + h:.2f} l "
                   f"{x:.2f} {y + h:.2f} l b")


def streets(dice, width, height, pitch=7.5):
    lines = [(False, row * 6 * pitch) for row in range(int(height / pitch / 6) + 1)]
    lines += [(True, column * 9 * pitch) for column in range(int(width / pitch / 9) + 1)]
    drawn = []
    for upright, place in lines:
        length = height if upright else width
        points = [(step * length / 60, place + dice.uniform(-0.8, 0.8)) for step in range(61)]
        drawn.append([(b, a) if upright else (a, b) for a, b in points])
    yield "1 J 1 j"
    for style in ("4 w 0.55 0.52 0.5 RG", "3 w 1 0.99 0.9 RG", "0.3 w [2 1.5] 0 d 0.7 0.3 0.3 RG"):
        yield style
        for points in drawn:
            path = [f"{x:.2f} {y:.2f} {'l' if n else 'm'}" for n, (x, y) in enumerate(points)]
            yield " ".join(path) + " S"


def small_page():
    """A line of text in a font that is not embedded: the least that there is to draw."""
    font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    return document([Sheet((0, 0, 612, 792), "BT /F 24 Tf 72 700 Td (A page with one line of text.) Tj ET",
                           resources=font)])


def scan(source, pages):
    """Pages of a document as a scanner would have them: 300 dpi, askew, soft and noisy.

    Of each four pages two are gray JPEG, one is colour JPEG and one is gray without loss. Needs
    pypdfium2 and Pillow.
    """
    import pypdfium2
    from PIL import Image, ImageFilter

    book = pypdfium2.PdfDocument(source)
    pdf, sheets = PDF(), []
    for order, number in enumerate(pages):
        dice = random.Random(number)
        page = book[number - 1]
        colour = order % 4 == 2
        image = page.render(scale=300 / 72).to_pil().convert("RGB" if colour else "L")
        paper = (250, 243, 228) if colour else 246
        image = image.rotate(dice.uniform(-0.8, 0.8), Image.Resampling.BICUBIC, fillcolor=paper)
        image = image.filter(ImageFilter.GaussianBlur(0.8))
        bands = len(image.getbands())
        noise = Image.frombytes(image.mode, image.size,
                                dice.randbytes(image.width * image.height * bands))
        image = Image.blend(image, noise, 0.035)
        entries = (f"/Type /XObject /Subtype /Image /Width {image.width} /Height {image.height} "
                   f"/ColorSpace /{'DeviceRGB' if colour else 'DeviceGray'} /BitsPerComponent 8")
        if order % 4 == 3:
            picture = pdf.stream(image.tobytes(), entries, compress=True)
        else:
            data = io.BytesIO()
            image.save(data, "JPEG", quality=82)
            picture = pdf.stream(data.getvalue(), entries + " /Filter /DCTDecode")
        width, height = page.get_size()
        sheets.append(Sheet((0, 0, width, height), f"{width} 0 0 {height} 0 0 cm /Im Do",
                            resources=f"/XObject << /Im {picture} 0 R >>"))
    return document(sheets, pdf=pdf)


if __name__ == "__main__":  # synthetic_inputs.py SOURCE OUT.pdf: the scan, made with the peers' Python
    Path(sys.argv[2]).write_bytes(scan(sys.argv[1], range(1001, 1009)))
