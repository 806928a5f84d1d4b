import inspect
import os
import pathlib
import subprocess
import tempfile
import unittest

import PIL.Image
import recto
from recto.pdf2image import convert_from_bytes, convert_from_path, exceptions, pdfinfo_from_bytes, pdfinfo_from_path
from support import BOOK, FIXTURES

try:
    import pdf2image
except ImportError:
    pdf2image = None


def poppler(name, *options):
    """The sizes of the pictures that pdftoppm makes."""
    data = subprocess.run(["pdftoppm", *options, FIXTURES / name], check=True, capture_output=True).stdout
    sizes = []
    while data:
        width, height = map(int, data.split(b"\n", 2)[1].split())
        sizes.append((width, height))
        data = data[len(b"P6\n%d %d\n255\n" % (width, height)) + 3 * width * height :]
    return sizes


def sizes(images):
    return [image.size for image in images]


class ConvertTests(unittest.TestCase):
    def test_pictures_have_the_sizes_of_pdftoppm(self):
        for name in ("mixed-sizes.pdf", "rotate.pdf", "crop.pdf"):
            for parameters, options in (
                ({"dpi": 50}, ["-r", "50"]),
                ({"dpi": 72.5}, ["-r", "72.5"]),
                ({"size": 200}, ["-scale-to", "200"]),
                ({"size": (201,)}, ["-scale-to", "201"]),
                ({"size": (97, None)}, ["-scale-to-x", "97", "-scale-to-y", "-1"]),
                ({"size": (None, 131)}, ["-scale-to-x", "-1", "-scale-to-y", "131"]),
                ({"size": (90, 120)}, ["-scale-to-x", "90", "-scale-to-y", "120"]),
            ):
                for use_cropbox in (True, False):
                    box = ["-cropbox"] if use_cropbox else []
                    with self.subTest(name, use_cropbox=use_cropbox, **parameters):
                        images = convert_from_path(FIXTURES / name, use_cropbox=use_cropbox, **parameters)
                        self.assertEqual(sizes(images), poppler(name, *box, *options))

    def test_the_box_and_annotations_are_those_of_pdftoppm(self):
        # The colors of the corner, and of the squares, are plain.
        for name, place, parameters, color in (
            ("boxes.pdf", (5, 5), {}, (255, 0, 0)),
            ("boxes.pdf", (5, 5), {"use_cropbox": True}, (0, 255, 0)),
            ("annotations.pdf", (40, 40), {}, (255, 0, 0)),
            ("annotations.pdf", (40, 40), {"hide_annotations": True}, (229, 229, 229)),
        ):
            for transparent in (False, True):
                with self.subTest(name, transparent=transparent, **parameters):
                    image = convert_from_path(
                        FIXTURES / name, 72, last_page=1, fmt="png", transparent=transparent, **parameters
                    )[0]
                    found = image.convert("RGB").getpixel(place)
                    self.assertLessEqual(max(abs(one - two) for one, two in zip(found, color)), 1)

    def test_pages_are_chosen(self):
        for parameters, count in (
            ({"first_page": 3}, 10),
            ({"last_page": 4}, 4),
            ({"first_page": 3, "last_page": 4}, 2),
            ({"first_page": 0, "last_page": 99}, 12),
            ({"first_page": 4, "last_page": 3}, 0),
            ({"last_page": 0}, 0),
            ({"first_page": 8, "single_file": True}, 1),
        ):
            with self.subTest(**parameters):
                self.assertEqual(len(convert_from_path(BOOK, dpi=20, **parameters)), count)

    def test_images_have_the_format_and_the_mode_of_pdf2image(self):
        for parameters, expected in (
            ({}, ("PPM", "RGB")),
            ({"grayscale": True}, ("PPM", "L")),
            ({"fmt": "png"}, ("PNG", "RGB")),
            ({"fmt": ".png", "grayscale": True}, ("PNG", "RGB")),
            ({"fmt": "png", "transparent": True}, ("PNG", "RGBA")),
            ({"fmt": "jpg"}, ("JPEG", "RGB")),
            ({"fmt": "jpeg", "grayscale": True}, ("JPEG", "RGB")),
            ({"fmt": "tiff"}, ("TIFF", "RGB")),
            ({"fmt": "tif", "transparent": True}, ("TIFF", "RGBA")),
            ({"fmt": "jpeg", "transparent": True}, ("JPEG", "RGB")),
            ({"fmt": "unknown"}, ("PPM", "RGB")),
            ({"use_pdftocairo": True}, ("PNG", "RGB")),
            ({"use_pdftocairo": True, "grayscale": True}, ("PNG", "L")),
        ):
            with self.subTest(**parameters):
                (image,) = convert_from_path(BOOK, dpi=20, last_page=1, **parameters)
                self.assertEqual((image.format, image.mode, image.size), (*expected, (117, 166)))
                with tempfile.TemporaryDirectory() as folder:
                    (path,) = convert_from_path(BOOK, 20, folder, last_page=1, paths_only=True, **parameters)
                    with PIL.Image.open(path) as file:
                        self.assertEqual((file.format, file.mode, file.size), (*expected, (117, 166)))

    def test_gray_and_transparent_pictures_are_so(self):
        (gray,) = convert_from_path(BOOK, dpi=20, last_page=1, fmt="png", grayscale=True)
        red, green, blue = gray.split()
        self.assertTrue(red.tobytes() == green.tobytes() == blue.tobytes())
        (clear,) = convert_from_path(BOOK, dpi=20, last_page=1, fmt="png", transparent=True)
        self.assertEqual(clear.getpixel((0, 0))[3], 0)
        with recto.open(BOOK) as doc:
            white = PIL.Image.new("RGBA", clear.size, "white")
            self.assertLess(difference(PIL.Image.alpha_composite(white, clear).convert("RGB"), doc[0].image(dpi=20)), 2)

    def test_jpegopt_is_that_of_the_file(self):
        lengths = []
        for quality in (10, 90):
            with tempfile.TemporaryDirectory() as folder:
                options = {"quality": quality, "progressive": "y", "optimize": True}
                (path,) = convert_from_path(BOOK, 50, folder, last_page=1, fmt="jpeg", jpegopt=options, paths_only=True)
                with PIL.Image.open(path) as image:
                    self.assertTrue(image.info["progressive"])
                lengths.append(os.path.getsize(path))
        self.assertLess(lengths[0], lengths[1])
        with self.assertRaisesRegex(ValueError, "jpegopt"):
            convert_from_path(BOOK, fmt="jpeg", jpegopt={"dct": 1})

    def test_files_have_the_names_of_pdf2image(self):
        for parameters, names in (
            ({"output_file": "a", "first_page": 9}, ["a0001-09.ppm", "a0001-10.ppm", "a0001-11.ppm", "a0001-12.ppm"]),
            (
                {"output_file": "a", "first_page": 10, "thread_count": 2},
                ["a0001-10.ppm", "a0001-11.ppm", "a0002-12.ppm"],
            ),
            ({"output_file": "a", "single_file": True, "fmt": "jpeg"}, ["a.jpg"]),
            ({"output_file": iter("xyz"), "first_page": 11, "thread_count": 9}, ["x-11.ppm", "y-12.ppm"]),
            ({"output_file": "a", "last_page": 1, "grayscale": True}, ["a0001-01.pgm"]),
            ({"output_file": "a", "last_page": 1, "fmt": "tiff"}, ["a0001-01.tif"]),
        ):
            with self.subTest(**parameters), tempfile.TemporaryDirectory() as folder:
                images = convert_from_path(BOOK, dpi=20, output_folder=pathlib.Path(folder), **parameters)
                self.assertEqual([os.path.basename(image.filename) for image in images], names)
                self.assertEqual(sorted(os.listdir(folder)), names)
                for image in images:
                    image.close()
        with tempfile.TemporaryDirectory() as folder:
            paths = convert_from_path(BOOK, 20, folder, last_page=2, paths_only=True)
            self.assertRegex(paths[1], r"/[0-9a-f-]{36}-02\.ppm$")

    def test_errors_are_those_of_pdf2image(self):
        for name, parameters, error in (
            ("not-a-pdf.pdf", {}, exceptions.PDFPageCountError),
            ("missing.pdf", {}, exceptions.PDFPageCountError),
            ("encrypted.pdf", {}, exceptions.PDFPageCountError),
            ("encrypted.pdf", {"userpw": "wrong"}, exceptions.PDFPageCountError),
            ("syntax-errors.pdf", {"strict": True}, exceptions.PDFSyntaxError),
            ("endless-forms.pdf", {"timeout": 0.5, "dpi": 72}, exceptions.PDFPopplerTimeoutError),
            (
                "endless-forms.pdf",
                {"timeout": 0.5, "dpi": 72, "transparent": True, "fmt": "png"},
                exceptions.PDFPopplerTimeoutError,
            ),
            ("encrypted-open.pdf", {"hide_annotations": True}, exceptions.PDFPageCountError),
            ("book.pdf", {"size": "large"}, ValueError),
            ("page-missing.pdf", {"dpi": 20}, recto.PageError),
        ):
            with self.subTest(name, **parameters), self.assertRaises(error):
                convert_from_path(FIXTURES / name, **parameters)
        self.assertEqual(len(convert_from_path(FIXTURES / "syntax-errors.pdf", dpi=20)), 2)
        self.assertEqual(len(convert_from_path(BOOK, dpi=20, strict=True, last_page=2)), 2)
        program, os.environ["RECTO"] = os.environ["RECTO"], "/nonexistent"
        try:
            with self.assertRaises(exceptions.PDFInfoNotInstalledError):
                pdfinfo_from_path(BOOK)
        finally:
            os.environ["RECTO"] = program

    def test_either_password_opens_a_document(self):
        for passwords in ({"userpw": "secret"}, {"ownerpw": "owner"}, {"userpw": "wrong", "ownerpw": "owner"}):
            self.assertEqual(len(convert_from_path(FIXTURES / "encrypted.pdf", dpi=20, **passwords)), 6)
            self.assertEqual(pdfinfo_from_path(FIXTURES / "encrypted.pdf", **passwords)["Pages"], 6)

    def test_bytes_are_as_good_as_a_path(self):
        data = BOOK.read_bytes()
        for image, other in zip(convert_from_bytes(data, dpi=20), convert_from_path(BOOK, dpi=20)):
            self.assertEqual(image.tobytes(), other.tobytes())
        self.assertEqual(pdfinfo_from_bytes(data), pdfinfo_from_path(BOOK))


class InfoTests(unittest.TestCase):
    def test_properties_are_those_of_pdfinfo(self):
        for name in ("book.pdf", "rotate.pdf", "linearized.pdf", "form.pdf", "title-utf16.pdf", "crop.pdf"):
            for options, parameters in (([], {}), (["-f", "1", "-l", "1"], {"first_page": 1, "last_page": 1})):
                with self.subTest(name, **parameters):
                    printed = subprocess.run(
                        ["pdfinfo", *options, FIXTURES / name], check=True, capture_output=True, text=True
                    ).stdout
                    expected = {line.split(":", 1)[0]: line.split(":", 1)[1].strip() for line in printed.splitlines()}
                    info = pdfinfo_from_path(FIXTURES / name, **parameters)
                    self.assertEqual(info["Pages"], int(expected["Pages"]))
                    for field in info.keys() - {"Pages"}:
                        self.assertEqual(info[field], expected[field], field)

    def test_formats_of_paper_are_named(self):
        self.assertRegex(pdfinfo_from_path(FIXTURES / "mixed-sizes.pdf")["Page size"], r"595\.276 x 841\.89 pts \(A4\)")

    def test_dates_can_be_raw(self):
        self.assertEqual(pdfinfo_from_path(BOOK, rawdates=True)["CreationDate"], "D:20240101000000Z")


@unittest.skipIf(pdf2image is None, "pdf2image is not installed")
class SignatureTests(unittest.TestCase):
    def test_parameters_are_those_of_pdf2image(self):
        for function in (convert_from_path, convert_from_bytes, pdfinfo_from_path, pdfinfo_from_bytes):
            other = inspect.signature(getattr(pdf2image, function.__name__)).parameters
            self.assertEqual(list(inspect.signature(function).parameters), list(other))


def difference(image, other):
    """The mean difference of two images, in steps of a channel."""
    pairs = list(zip(image.tobytes(), other.tobytes()))
    return sum(abs(one - two) for one, two in pairs) / len(pairs)
