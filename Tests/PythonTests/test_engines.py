import gc
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import recto
from support import BOOK, FIXTURES, children


def interrupt(*_):
    raise KeyboardInterrupt


def first_page(path):
    """The size of a picture that another process makes."""
    with recto.open(path) as doc:
        return doc[0].image(size=64).size


def ended(pid):
    """Whether a process ends in time."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


class EngineTests(unittest.TestCase):
    def setUp(self):
        self.engine = recto.Engine(jobs=2, cache=False)
        self.addCleanup(self.engine.close)
        self.doc = recto.open(BOOK, engine=self.engine)

    def process(self):
        return self.engine.session().process

    def open_documents(self):
        return self.engine.session().submit("stats", {}).result()["documents"]

    def test_a_missing_program_is_named(self):
        path, program = os.environ["PATH"], os.environ.pop("RECTO")
        os.environ["PATH"] = "/nonexistent"
        try:
            with self.assertRaisesRegex(recto.EngineError, "install Recto, or set the environment variable RECTO"):
                recto.open(BOOK, engine=recto.Engine())
        finally:
            os.environ["PATH"], os.environ["RECTO"] = path, program
        with self.assertRaisesRegex(recto.EngineError, "/nonexistent"):
            recto.open(BOOK, engine=recto.Engine(program="/nonexistent"))

    def test_an_option_that_is_wrong_is_named(self):
        for options in ({"arguments": ["--nix"]}, {"text": "blurred"}, {"timeout": -1}):
            with self.assertRaises(recto.UsageError):
                recto.open(BOOK, engine=recto.Engine(**options))

    def test_an_interrupted_request_leaves_the_others(self):
        slow = recto.open(FIXTURES / "endless-forms.pdf", engine=self.engine)
        expected = self.doc[4].png(size=100)
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, interrupt))
        begun = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with self.assertRaises(KeyboardInterrupt):
            slow[1].image(dpi=72)
        self.assertLess(time.monotonic() - begun, 5)
        self.assertEqual(self.doc[4].png(size=100), expected)

    def test_requests_can_be_interrupted_at_any_moment(self):
        expected = [page.png(size=40) for page in self.doc]
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, interrupt))
        moments = random.Random(7)
        interrupted = 0
        for turn in range(50):
            page = turn % 12
            try:
                try:
                    signal.setitimer(signal.ITIMER_REAL, moments.uniform(1e-5, 5e-3))
                    self.doc[page].png(size=40)
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                interrupted += 1
            self.assertEqual(self.doc[page].png(size=40), expected[page])
        self.assertGreater(interrupted, 3)

    def test_a_process_that_has_ended_is_started_again(self):
        slow = recto.open(FIXTURES / "endless-forms.pdf", engine=self.engine)
        expected = self.doc[4].png(size=100)
        layout = self.doc.layout(mode="grid", viewport=(300, 200))
        window = layout.window(page=5).image()
        first = self.process()
        with ThreadPoolExecutor(1) as threads:
            pending = threads.submit(slow[1].image)
            time.sleep(0.2)
            first.kill()
            with self.assertRaises(recto.EngineError) as caught:
                pending.result()
            self.assertEqual(caught.exception.code, "ended")
        self.assertEqual(self.doc[4].png(size=100), expected)
        self.assertEqual(layout.window(page=5).image(), window)
        self.assertIsNot(self.process(), first)
        self.assertNotIn(first.pid, children())

    def test_a_document_that_is_another_one_by_then_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.pdf")
            with open(path, "wb") as file:
                file.write(BOOK.read_bytes())
            doc = recto.open(path, engine=self.engine)
            with open(path, "wb") as file:
                file.write((FIXTURES / "rotate.pdf").read_bytes())
            self.process().kill()
            self.process().wait()
            with self.assertRaises(recto.Error) as caught:
                for _ in range(2):
                    doc[0].image(size=40)
            self.assertIn(caught.exception.code, ("changed", "ended"))

    def test_a_child_has_a_process_of_its_own(self):
        expected = self.doc[0].png(size=64)
        child = os.fork()
        if child == 0:
            os._exit(0 if self.doc[0].png(size=64) == expected and len(children()) == 1 else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(self.doc[0].png(size=64), expected)

    def test_processes_can_work_on_documents(self):
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(first_page, [BOOK] * 4), [(46, 64)] * 4)
            pool.close()
            pool.join()

    def test_nothing_is_left_behind(self):
        before = set(children())
        for _ in range(3):
            with recto.Engine() as engine, recto.open(BOOK, engine=engine) as doc:
                doc[0].image(size=30)
            with self.assertRaises(recto.EngineError):
                recto.open(BOOK, engine=engine)
        recto.open(BOOK, engine=recto.Engine())
        gc.collect()
        self.assertEqual(set(children()), before)

    def test_documents_that_are_forgotten_are_closed(self):
        for _ in range(10):
            recto.open(BOOK, engine=self.engine).layout().window()
        gc.collect()
        self.doc[0].text()
        self.assertEqual(len(self.open_documents()), 1)

    def test_an_open_that_was_cancelled_leaves_nothing_open(self):
        session = self.engine.session()
        for _ in range(50):
            members = {"path": str(BOOK), "viewport": {"width": 0, "height": 0}}
            session.submit("open", members).cancel()
        self.doc[0].text()
        self.assertEqual(len(self.open_documents()), 1)

    def test_the_process_ends_with_the_interpreter(self):
        script = "import os, recto, sys, time; doc = recto.open(sys.argv[1]); list(doc.thumbnails(64)); "
        script += "print(doc._handle.engine.session().process.pid, flush=True); "
        for end in ("next(doc.images(dpi=300))", "os.kill(os.getpid(), 9)"):
            with self.subTest(end):
                command = [sys.executable, "-X", "dev", "-W", "error", "-c", script + end, str(BOOK)]
                run = subprocess.run(command, capture_output=True, text=True, timeout=20)
                self.assertEqual(run.stderr, "")
                self.assertTrue(ended(int(run.stdout)))
