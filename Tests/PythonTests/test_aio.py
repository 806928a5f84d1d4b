import asyncio
import unittest

import recto
import recto.aio
from support import BOOK, FIXTURES


class AsyncTests(unittest.IsolatedAsyncioTestCase):
    async def test_results_are_those_of_the_blocking_interface(self):
        async with recto.aio.open(BOOK) as doc:
            with recto.open(BOOK) as other:
                page, same = doc[4], other[4]
                self.assertEqual((len(doc), doc.title, page.number), (len(other), other.title, 5))
                self.assertEqual(await page.png(dpi=72), same.png(dpi=72))
                self.assertEqual(await page.image(size=90), same.image(size=90))
                self.assertEqual((await page.array(size=90)).tolist(), same.array(size=90).tolist())
                self.assertEqual(await page.text(), same.text())
                self.assertEqual(await page.links(), same.links())
                self.assertEqual(
                    (await page.label, await page.size, await page.rotation), (same.label, same.size, same.rotation)
                )
                self.assertEqual(await doc.outline(), other.outline())
                self.assertEqual(await doc.info(), other.info())
                hits = [(hit.page.number, hit.areas) async for hit in doc.search("leaf")]
                self.assertEqual(hits, [(hit.page.number, hit.areas) for hit in other.search("leaf")])
                self.assertEqual([image async for image in doc.thumbnails(32)], list(other.thumbnails(32)))
                async with doc.layout(mode="grid", columns=3, viewport=(300, 200)) as layout:
                    window, expected = (
                        await layout.window(page=6),
                        other.layout(mode="grid", columns=3, viewport=(300, 200)).window(page=6),
                    )
                    self.assertEqual((window.viewport, window.pages), (expected.viewport, expected.pages))
                    self.assertEqual(await window.image(), expected.image())

    async def test_an_open_document_can_be_awaited(self):
        doc = await recto.aio.open(FIXTURES / "encrypted.pdf", "secret")
        self.assertEqual(len(doc), 6)
        doc.close()
        with self.assertRaises(recto.PasswordError):
            await recto.aio.open(FIXTURES / "encrypted.pdf")

    async def test_pages_are_drawn_at_the_same_time(self):
        async with recto.aio.open(BOOK) as doc:
            images = await asyncio.gather(*(page.image(size=64) for page in doc))
            self.assertEqual([max(image.size) for image in images], [64] * 12)

    async def test_a_task_can_be_cancelled(self):
        async with recto.aio.open(FIXTURES / "endless-forms.pdf", engine=self.engine) as doc:
            for work in (doc[1].image(dpi=72), self.first(doc.images([1], dpi=72))):
                task = asyncio.ensure_future(work)
                await asyncio.sleep(0.1)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                self.assertEqual((await doc[2].image(size=50)).height, 50)

    async def test_errors_are_those_of_the_blocking_interface(self):
        async with recto.aio.open(FIXTURES / "page-missing.pdf", engine=self.engine) as doc:
            images = [image async for image in doc.thumbnails(32, return_errors=True)]
            self.assertEqual([isinstance(image, recto.PageError) for image in images], [False, False, True])
            with self.assertRaises(recto.PageError):
                await doc[2].size
            self.engine.session().process.kill()
            self.engine.session().process.wait()
            await asyncio.sleep(0.1)
            self.assertEqual(max((await doc[0].image(size=50)).size), 50)

    async def first(self, pictures):
        async for picture in pictures:
            return picture

    def setUp(self):
        self.engine = recto.Engine(cache=False)
        self.addCleanup(self.engine.close)
