"""What the tests share. They run the program that the environment variable RECTO names, with a cache of their own."""

import atexit
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"
BOOK = FIXTURES / "book.pdf"

_cache = tempfile.TemporaryDirectory()
atexit.register(_cache.cleanup)
os.environ["XDG_CACHE_HOME"] = _cache.name


def command(*arguments):
    """What ``recto`` prints."""
    return subprocess.run([os.environ["RECTO"], *map(str, arguments)], check=True, capture_output=True).stdout


def children():
    """The processes that this one has started and that have not ended, or were not waited for."""
    listed = subprocess.run(
        ["ps", "-o", "pid=,comm=", "--ppid", str(os.getpid())], capture_output=True, text=True
    ).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if not line.endswith(" ps")]
