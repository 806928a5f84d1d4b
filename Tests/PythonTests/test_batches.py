import itertools
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

import recto
from support import BOOK, FIXTURES, ROOT, children, command

try:
    import pyarrow
except ImportError:
    pyarrow = None

# A program that makes batches without end, and says which process it is about to be killed with.
ENDLESS = """
import itertools, os, recto, subprocess, sys
found = recto.batches(itertools.repeat(sys.argv[1]), size=64, rows=1)
next(found)
print(subprocess.run(["ps", "-o", "pid=", "--ppid", str(os.getpid())], capture_output=True, text=True).stdout.split()[0])
sys.stdout.flush()
list(found)
"""


def rows(*arguments, **parameters):
    return [row for batch in recto.batches(*arguments, **parameters) for row in batch.to_pylist()]


def by_page(found):
    return sorted(found, key=lambda row: (row["path"], row["page"] or 0))


def members(session):
    """The processes of a session that have not ended."""
    listed = subprocess.run(["ps", "-o", "pid=,stat=", "-s", str(session)], capture_output=True, text=True).stdout
    return [line for line in listed.splitlines() if "Z" not in line]


def ends(session):
    """Whether all processes of a session end in time."""
    limit = time.monotonic() + 20
    while members(session) and time.monotonic() < limit:
        time.sleep(0.02)
    return not members(session)


@unittest.skipUnless(pyarrow, "pyarrow is not installed")
class BatchTests(unittest.TestCase):
    def tearDown(self):
        self.assertEqual(children(), [])

    def test_each_page_is_a_row(self):
        for batch in recto.batches([BOOK], size=100):
            self.assertEqual(batch.schema, recto.batch_schema())
        found = by_page(batch.to_pylist())
        with recto.open(BOOK, engine=recto.Engine(cache=False)) as doc:
            expected = [(str(BOOK), page.number, page.label, page.text()) for page in doc]
        self.assertEqual([tuple(row[name] for name in ("path", "page", "label", "text")) for row in found], expected)
        with tempfile.TemporaryDirectory() as folder:
            command("pages", BOOK, "--size", 100, "-o", f"{folder}/{{page}}.png", "--no-cache")
            files = [path.read_bytes() for path in sorted(pathlib.Path(folder).iterdir())]
        self.assertEqual([row["picture"] for row in found], files)
        self.assertEqual({max(row["width"], row["height"]) for row in found}, {100})
        self.assertEqual({(row["error"], row["message"]) for row in found}, {(None, None)})

    def test_contents_make_the_same_rows_as_paths(self):
        paths = sorted(map(str, FIXTURES.glob("*.pdf")))
        paths = [path for path in paths if not path.endswith(("endless-forms.pdf", "endless-shading.pdf", "memory.pdf"))]
        contents = ((path, pathlib.Path(path).read_bytes()) for path in paths)
        found = by_page(rows(contents, size=64))
        self.assertEqual(found, by_page(rows(paths, size=64)))
        self.assertEqual({row["path"] for row in found}, set(paths))

    def test_texts_come_without_pictures_and_pictures_without_texts(self):
        texts = by_page(rows([BOOK], picture=False, pages="11-12"))
        both = by_page(rows([BOOK], pages="11-99", size=64))
        pictures = by_page(rows([BOOK], pages="11-12", size=64, text=False))
        self.assertEqual([(row["page"], row["text"]) for row in texts], [(row["page"], row["text"]) for row in both])
        self.assertEqual([row["picture"] for row in pictures], [row["picture"] for row in both])
        self.assertEqual({row["picture"] for row in texts} | {row["text"] for row in pictures}, {None})
        jpeg = rows([BOOK], pages="1", dpi=20, format="jpeg", quality=50)[0]
        self.assertEqual(jpeg["picture"][:3], b"\xff\xd8\xff")

    def test_what_fails_is_a_row(self):
        bad = [FIXTURES / "not-a-pdf.pdf", FIXTURES / "encrypted.pdf", "/nonexistent", "", None, "a\0b"]
        found = rows([*bad, BOOK, FIXTURES / "page-missing.pdf", FIXTURES / "endless-forms.pdf"], size=64, timeout=1)
        failed = sorted((str(row["path"]), row["page"] or 0, row["error"]) for row in found if row["error"])
        expected = [
            ("", 0, "usage"),
            ("/nonexistent", 0, "unreadable"),
            ("None", 0, "usage"),
            ("a\0b", 0, "usage"),
            (str(FIXTURES / "encrypted.pdf"), 0, "password-needed"),
            (str(FIXTURES / "endless-forms.pdf"), 2, "time-limit"),
            (str(FIXTURES / "not-a-pdf.pdf"), 0, "not-pdf"),
            (str(FIXTURES / "page-missing.pdf"), 3, "page-missing"),
        ]
        self.assertEqual(failed, sorted(expected))
        self.assertEqual(sum(row["path"] == str(BOOK) for row in found), 12)
        contents = [("empty", b""), ("none", None), (None, b"%PDF"), (BOOK.name, BOOK.read_bytes())]
        failed = [(row["path"], row["error"]) for row in rows(contents, size=64) if row["error"]]
        self.assertEqual(sorted(failed, key=str), [("empty", "not-pdf"), ("none", "usage"), (None, "usage")])

    def test_names_can_have_any_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            names = [b"two\nlines.pdf", b"latin \xe9.pdf", " spaces and Ünicode.pdf".encode()]
            paths = [os.fsencode(folder) + b"/" + name for name in names]
            for path in paths:
                shutil.copy(FIXTURES / "title-utf16.pdf", path)
            for given in (paths, [os.fsdecode(path) for path in paths]):
                found = {row["path"] for row in rows(given, pages="1", size=32)}
                self.assertEqual(found, {path.decode(errors="replace") for path in paths})
            named = [(path, FIXTURES.joinpath("title-utf16.pdf").read_bytes()) for path in paths]
            self.assertEqual({row["path"] for row in rows(named, pages="1", size=32)}, found)

    def test_documents_are_taken_as_they_are_needed(self):
        taken = itertools.count()
        data = BOOK.read_bytes()
        found = recto.batches(((str(next(taken)), data) for _ in itertools.repeat(0)), size=64, rows=20)
        for batch in itertools.islice(found, 3):
            self.assertEqual(batch.num_rows, 20)
        found.close()
        # 60 pages are five documents; a megabyte of them waits in the pipe, and some in the command.
        self.assertLess(next(taken), 5 + (1 << 20) // len(data) + 32)

    def test_a_batch_is_bounded_by_its_bytes(self):
        with unittest.mock.patch("recto._batches._BATCH_BYTES", 1 << 20):
            found = recto.batches([BOOK] * 6, dpi=300, rows=1000, text=False)
            sizes = [(batch.num_rows, batch.nbytes) for batch in found]
        # Lines of several documents that are longer than a pipe takes at once.
        self.assertEqual(sum(count for count, _ in sizes), 72)
        self.assertGreater(len(sizes), 3)
        self.assertLess(max(size for _, size in sizes), 2 << 20)

    def test_a_reader_that_stops_leaves_no_process(self):
        found = recto.batches(itertools.repeat(str(BOOK)), size=64, rows=1)
        next(found)
        session = children()[0]
        self.assertGreater(len(members(session)), 1)
        found.close()
        self.assertTrue(ends(session))
        self.assertEqual(list(found), [])

    def test_a_caller_that_is_killed_leaves_no_process(self):
        # A document without an end: the command has to notice while it draws.
        for path in (BOOK, FIXTURES / "endless-forms.pdf"):
            program = [sys.executable, "-c", ENDLESS, path]
            with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as caller:
                session = int(caller.stdout.readline())
                caller.kill()
            self.assertTrue(ends(session), path)

    def test_a_process_that_is_killed_is_an_error(self):
        found = recto.batches(itertools.repeat(str(BOOK)), size=64, rows=1)
        next(found)
        os.kill(children()[0], signal.SIGKILL)
        with self.assertRaisesRegex(recto.EngineError, "signal 9"):
            list(found)

    def test_wrong_values_are_errors(self):
        for parameters in ({"size": -1}, {"pages": "x-"}, {"format": "gif"}, {"arguments": ["--nix"]}):
            with self.subTest(**parameters), self.assertRaises(recto.UsageError):
                rows([BOOK], **parameters)
        for parameters in ({"rows": 0}, {"text": False, "picture": False}):
            with self.subTest(**parameters), self.assertRaises(ValueError):
                recto.batches([BOOK], **parameters)
        with self.assertRaises(recto.EngineError):
            rows([BOOK], program="/nonexistent")
        self.assertEqual(rows([], program="/nonexistent"), [])

    def test_an_error_of_the_documents_is_that_of_the_caller(self):
        def documents():
            yield BOOK
            raise LookupError("no more")

        with self.assertRaisesRegex(LookupError, "no more"):
            rows(documents(), size=64)


class ImportTests(unittest.TestCase):
    def test_arrow_is_imported_when_it_is_needed(self):
        code = "import sys, recto; sys.exit('pyarrow' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode, 0)
