import json
import pathlib
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

import PIL.Image
import recto
from support import BOOK, FIXTURES, ROOT, command


class DocumentTests(unittest.TestCase):
    def setUp(self):
        self.doc = recto.open(BOOK)
        self.addCleanup(self.doc.close)

    def test_a_document_is_a_sequence_of_pages(self):
        self.assertEqual((len(self.doc), self.doc.title), (12, "The Turning of the Page"))
        self.assertEqual([self.doc[0].number, self.doc[-1].number, self.doc[-1].index], [1, 12, 11])
        self.assertEqual([page.number for page in self.doc[2:8:2]], [3, 5, 7])
        self.assertEqual([page.index for page in self.doc], list(range(12)))
        for index in (12, -13):
            with self.assertRaises(IndexError):
                self.doc[index]

    def test_pages_have_the_sizes_and_labels_of_the_fixtures(self):
        for name, expected in json.loads((FIXTURES / "expected.json").read_text()).items():
            failing = "error" in expected or any("error" in page for page in expected["pages"])
            if failing or "password" in expected or not expected["pages"]:
                continue
            with self.subTest(name), recto.open(FIXTURES / name) as doc:
                self.assertEqual(len(doc), len(expected["pages"]))
                for page, other in zip(doc, expected["pages"]):
                    self.assertEqual((page.label, page.rotation), (other["label"], other["rotation"]))
                    self.assertAlmostEqual(page.size.width, other["width"], 2)
                    self.assertAlmostEqual(page.size.height, other["height"], 2)

    def test_pictures_are_those_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            command("pages", BOOK, "--dpi", "72", "-o", folder + "/{page}.png")
            images = list(self.doc.images(dpi=72))
            arrays = list(self.doc.arrays(dpi=72))
            for page, image, array in zip(self.doc, images, arrays):
                data = pathlib.Path(folder, f"{page.number:02}.png").read_bytes()
                with PIL.Image.open(pathlib.Path(folder, f"{page.number:02}.png")) as file:
                    expected = file.convert("RGB")
                self.assertEqual(page.png(dpi=72), data)
                self.assertEqual(page.image(dpi=72), image)
                self.assertEqual((image.size, image.tobytes()), (expected.size, expected.tobytes()))
                self.assertEqual(array.shape, (expected.height, expected.width, 3))
                self.assertEqual(array.tobytes(), expected.tobytes())

    def test_a_size_is_that_of_the_longer_side(self):
        self.assertEqual([max(image.size) for image in self.doc.thumbnails(size=100)], [100] * 12)
        self.assertEqual(self.doc[0].array(size=100).shape, (100, 71, 3))
        self.assertEqual(self.doc[0].image().size, self.doc[0].image(dpi=150).size)

    def test_an_iterator_tells_how_far_it_is(self):
        thumbnails = self.doc.thumbnails(size=32, pages=[3, -1, 0])
        self.assertEqual((len(thumbnails), thumbnails.done), (3, 0))
        next(thumbnails)
        self.assertEqual((len(thumbnails), thumbnails.done), (3, 1))
        self.assertEqual(len(list(thumbnails)), 2)

    def test_text_links_and_outline_are_those_of_the_command(self):
        lines = [json.loads(line) for line in command("text", BOOK, "--json").splitlines()]
        self.assertEqual([page.text() for page in self.doc], [line["text"] for line in lines])
        area = recto.Box(0, 0, 420, 200)
        line = json.loads(command("text", BOOK, "5", "--json", "--area", "0,0,420,200"))
        self.assertEqual(self.doc[4].text(area), line["text"])
        self.assertEqual(
            [(item.title, item.level, item.page) for item in self.doc.outline()][:2],
            [("The Leaf", 0, 5), ("The Measure", 0, 7)],
        )
        self.assertEqual(self.doc.info()["author"], "Recto")
        with recto.open(FIXTURES / "links.pdf") as doc:
            link = doc[0].links()[0]
            self.assertEqual((link.kind, link.page, link.areas), ("page", 2, [recto.Box(10, 10, 170, 12)]))
            addresses = [link.uri for page in doc for link in page.links() if link.kind == "uri"]
            self.assertTrue(addresses and all(addresses))

    def test_a_search_finds_what_the_command_finds(self):
        lines = [json.loads(line) for line in command("search", BOOK, "leaf", "--json").splitlines()]
        expected = [(line["page"], hit["match"], len(hit["areas"])) for line in lines for hit in line["hits"]]
        hits = list(self.doc.search("leaf"))
        self.assertEqual([(hit.page.number, hit.text, len(hit.areas)) for hit in hits], expected)
        self.assertEqual(len(list(self.doc.search("leaf", limit=2))), 2)
        self.assertEqual({hit.page.index for hit in self.doc.search("leaf", pages=[4, 5])}, {4, 5})
        self.assertEqual({hit.text for hit in self.doc.search("Leaf", case_sensitive=True)}, {"Leaf"})

    def test_a_search_can_be_left(self):
        next(self.doc.search("the"))
        self.assertEqual(len(self.doc[4].text()) > 0, True)

    def test_a_document_can_be_in_memory(self):
        with recto.open(BOOK.read_bytes()) as doc:
            self.assertEqual((len(doc), doc[0].label), (12, "i"))
            self.assertEqual(doc[4].png(dpi=50), self.doc[4].png(dpi=50))
            self.assertEqual(len(doc.layout().window().pages), 2)

    def test_a_document_can_be_on_a_server(self):
        program = [str(ROOT / "scripts/dev/remote/server"), str(FIXTURES)]
        with subprocess.Popen(["python3", *program], stdout=subprocess.PIPE, text=True) as server:
            try:
                host = f"127.0.0.1:{server.stdout.readline().strip()}"
                secret = f"http://reader:secret@{host}/signed/book.pdf?signature=secret-signature"
                with recto.open(BOOK) as here, recto.open(secret) as there:
                    self.assertEqual(there[4].png(dpi=40), here[4].png(dpi=40))
                    self.assertEqual(there[2].text(), here[2].text())
                    self.assertNotIn("secret", repr(there))
                with self.assertRaises(recto.Error) as raised:
                    recto.open(secret + "-that-is-wrong")
                self.assertEqual(raised.exception.code, "not-allowed")
                self.assertNotIn("secret", str(raised.exception))
            finally:
                server.terminate()

    def test_threads_share_a_document(self):
        expected = [page.png(size=64) for page in self.doc]
        with ThreadPoolExecutor(8) as threads:
            for _ in range(3):
                self.assertEqual(list(threads.map(lambda page: page.png(size=64), self.doc)), expected)


class ErrorTests(unittest.TestCase):
    def test_errors_say_what_is_wrong_with_a_document(self):
        for name, kind, code in (
            ("encrypted.pdf", recto.PasswordError, "password-needed"),
            ("not-a-pdf.pdf", recto.DocumentError, "not-pdf"),
            ("zero-pages.pdf", recto.DocumentError, "damaged"),
            ("missing.pdf", recto.DocumentError, "unreadable"),
        ):
            with self.subTest(name), self.assertRaises(kind) as caught:
                recto.open(FIXTURES / name)
            self.assertEqual((caught.exception.code, caught.exception.path), (code, str(FIXTURES / name)))
            self.assertIn(name, str(caught.exception))
        with self.assertRaises(recto.PasswordError) as caught:
            recto.open(FIXTURES / "encrypted.pdf", "wrong")
        self.assertEqual(caught.exception.code, "password-wrong")
        with self.assertRaises(recto.UsageError):
            recto.open("/\udc80.pdf")

    def test_either_password_opens_a_document(self):
        for password in ("secret", "owner"):
            with recto.open(FIXTURES / "encrypted.pdf", password) as doc:
                self.assertEqual((len(doc), doc[0].label), (6, "1"))

    def test_a_page_that_fails_leaves_the_others(self):
        with recto.open(FIXTURES / "page-missing.pdf") as doc:
            images = list(doc.thumbnails(size=32, return_errors=True))
            self.assertEqual([isinstance(image, recto.PageError) for image in images], [False, False, True])
            self.assertEqual((images[2].page, images[2].code), (3, "page-missing"))
            thumbnails = doc.thumbnails(size=32, pages=[2, 0])
            with self.assertRaises(recto.PageError):
                next(thumbnails)
            self.assertEqual(max(next(thumbnails).size), 32)
            with self.assertRaises(recto.PageError):
                doc[2].size
            self.assertEqual(doc[1].size, (300, 420))

    def test_a_page_that_is_drawn_in_part_says_so(self):
        with recto.Engine(arguments=["--rasterizer", "cairo"], cache=False) as engine:
            doc = recto.open(FIXTURES / "incomplete.pdf", engine=engine)
            self.assertEqual(["incomplete" in image.info for image in doc.images(dpi=36)], [False, True, True])

    def test_a_page_has_a_limit_of_time(self):
        with (
            recto.Engine(timeout=0.5, cache=False) as engine,
            recto.open(FIXTURES / "endless-forms.pdf", engine=engine) as doc,
        ):
            with self.assertRaises(recto.LimitError) as caught:
                doc[1].image(dpi=72)
            self.assertEqual((caught.exception.code, caught.exception.page), ("time-limit", 2))
            self.assertEqual(doc[2].image(size=50).height, 50)

    def test_values_that_cannot_be_are_named(self):
        with recto.open(BOOK) as doc:
            for call in (
                lambda: doc[0].image(dpi=-1),
                lambda: doc[0].image(dpi=72, size=72),
                lambda: doc[0].image(size=0),
            ):
                with self.assertRaises(recto.UsageError):
                    call()
            with self.assertRaises(ValueError):
                list(doc.search(" "))

    def test_a_closed_document_says_so(self):
        doc = recto.open(BOOK)
        doc.close()
        doc.close()
        with self.assertRaises(recto.UsageError) as caught:
            doc[0].image()
        self.assertEqual(caught.exception.code, "closed")
