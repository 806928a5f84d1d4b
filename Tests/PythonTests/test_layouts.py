import io
import json
import unittest

import PIL.Image
import recto
from support import BOOK, FIXTURES, command


class LayoutTests(unittest.TestCase):
    def test_windows_are_those_of_the_command(self):
        for name, options, arguments, offset in (
            ("book.pdf", {"mode": "grid", "columns": 3}, ["--mode", "grid", "--columns", "3"], 500),
            ("book.pdf", {"spread": "book", "fit": "width"}, ["--spread", "book", "--fit", "width"], 1500),
            (
                "mixed-sizes.pdf",
                {"mode": "flow", "row_height": 200, "page_gap": 7},
                ["--mode", "flow", "--row-height", "200", "--page-gap", "7"],
                100,
            ),
            (
                "rotate.pdf",
                {"axis": "horizontal", "margin": [10, 20]},
                ["--axis", "horizontal", "--margin", "10,20"],
                (300, 0),
            ),
        ):
            with self.subTest(name, options=options), recto.open(FIXTURES / name) as doc:
                at = f"{offset[0]},{offset[1]}" if isinstance(offset, tuple) else str(offset)
                place = ["--viewport", "800x600", "--offset", at]
                scene = json.loads(command("layout", FIXTURES / name, *arguments, *place, "--all"))
                picture = command(
                    "render", FIXTURES / name, *arguments, *place, "--scale", "1.5", "--image", "-", "--no-cache"
                )
                with doc.layout(viewport=(800, 600), scale=1.5, **options) as layout:
                    window = layout.window(offset=offset)
                    self.assertEqual(window.viewport._asdict(), scene["viewport"])
                    self.assertEqual(window.content, (scene["content"]["width"], scene["content"]["height"]))
                    frames = {page["number"]: page["frame"] for spread in scene["spreads"] for page in spread["pages"]}
                    for page in window.pages:
                        self.assertEqual(page.frame._asdict(), frames[page.number])
                    with PIL.Image.open(io.BytesIO(picture)) as expected:
                        self.assertEqual(window.image().tobytes(), expected.convert("RGB").tobytes())

    def test_a_window_can_be_drawn_after_another_one(self):
        with recto.open(BOOK) as doc, doc.layout(mode="grid", columns=4, viewport=(400, 300)) as layout:
            first, second = layout.window(offset=0), layout.window(page=8)
            images = second.image(), first.image(), second.image()
            self.assertEqual(images[0], images[2])
            self.assertNotEqual(images[0], images[1])
            self.assertIn(8, [page.index for page in second.pages])
            self.assertEqual(layout.window(offset=first.viewport.y).image(), images[1])

    def test_a_layout_outlives_its_document(self):
        doc = recto.open(BOOK)
        layout = doc.layout(viewport=(200, 100))
        doc.close()
        self.assertEqual(layout.window(page=3).image().size, (200, 100))
        layout.close()

    def test_pages_that_fail_are_named(self):
        with recto.open(FIXTURES / "page-missing.pdf") as doc, doc.layout(viewport=(400, 1400)) as layout:
            window = layout.window(offset=0)
            self.assertEqual([page.error and page.error.code for page in window.pages], [None, None, "page-missing"])
            self.assertEqual(window.image().size, (400, 1400))

    def test_options_that_cannot_be_are_named(self):
        with recto.open(BOOK) as doc:
            with self.assertRaisesRegex(recto.UsageError, "columns"):
                doc.layout(mode="grid", columns=-1)
            with self.assertRaises(recto.UsageError):
                doc.layout().window(offset=0, page=1)
