"""Rows: a page of a large document on a server, which waits 40 ms before each answer and sends 100 Mbit/s."""

import os
import subprocess
import tempfile
import time
import urllib.request
from dataclasses import replace
from pathlib import Path

from .peers import SCRIPT
from .run import Entrant, written_text
from .workloads import DPI, Row

PROGRAM = Path(__file__).resolve().parents[3] / "scripts/dev/remote/server"
SHOWN = "http://SERVER/large.pdf"


class RemoteServer:
    """A document on a server that is no child of this process, which waits for all of its children.

    To be started before this process adopts orphans; the server ends with it.
    """

    def __init__(self, document):
        self.document = document
        reading, self.held = os.pipe()
        with tempfile.NamedTemporaryFile() as output:
            subprocess.run(["setsid", "--fork", PROGRAM, document.path.parent, "--delay", "0.04", "--rate", "12500000",
                            "--until-end-of-input"], stdin=reading, stdout=output, check=True)
            os.close(reading)
            end = time.monotonic() + 60
            while not (line := Path(output.name).read_text().partition("\n"))[1]:
                if time.monotonic() > end:
                    raise SystemExit("bench: the server of documents does not start")
                time.sleep(0.01)
        self.address = f"http://127.0.0.1:{line[0]}/plain/{document.path.name}"
        # The server reads the file, and makes its tag, before anything is measured.
        request = urllib.request.Request(self.address, headers={"Range": "bytes=0-0"})
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request).read()


def remote(documents, recto, peers, server):
    large = documents["large"]
    last = large.pages
    words = f"{large.shown} ({large.bytes / 1e6:.0f} MB, {large.pages:,} pages)"
    for id, page, name in (("last", last, "last"), ("first", 1, "first")):
        yield Row(
            f"remote-{id}", "remote", f"the {name} page of {words}",
            [
                there(recto.window(large, page), server).called("recto, cold"),
                *([after(recto, there(recto.window(large, last - 1), server), server)] if page == last else []),
                downloaded("pdftocairo", server, f"pdftocairo -png -r {DPI} -f {page} -l {page} OUT/whole.pdf OUT/page"),
                downloaded("mutool draw", server, f"mutool draw -q -r {DPI} -o OUT/%d.png OUT/whole.pdf {page}"),
                library(peers, "pdfium", "pages", server, page, DPI / 72),
            ],
            warm=False)
    yield Row(
        "remote-text", "remote", f"the text of the last page of {words}",
        [
            there(recto.text(large, last, last), server),
            downloaded("pdftotext", server, f"pdftotext -f {last} -l {last} OUT/whole.pdf OUT/page.txt", written_text),
            library(peers, "pdfium", "text", server, last),
            library(peers, "pypdf", "text", server, last),
        ],
        warm=False)


def there(entrant, server):
    """The same of the document on the server."""
    path = str(server.document.path)
    commands = [[server.address if word == path else word for word in argv] for argv in entrant.commands]
    shown = entrant.shown.replace(server.document.shown, SHOWN)
    environment = {**entrant.environment, "http_proxy": ""}
    return replace(entrant, commands=commands, shown=shown, environment=environment)


def after(recto, entrant, server):
    """The page before the last one, after that."""
    last = there(recto.window(server.document, server.document.pages, cached=True), server)

    def before():
        recto.forget()
        environment = {**os.environ, **last.environment}
        subprocess.run(last.commands[0], env=environment, cwd=recto.work, check=True, capture_output=True)

    return replace(entrant, name="recto, the page before it after that", before=before)


def downloaded(name, server, command, written=None):
    line = f'curl -s --noproxy "*" -o OUT/whole.pdf "$0" && {command}'
    shown = f"curl -s -o OUT/whole.pdf {SHOWN} && {command}"
    peer = {"mutool draw": "mutool"}.get(name, "poppler")
    return Entrant(f"curl and {name}", peer, [["sh", "-c", line, server.address]], shown, written=written)


def library(peers, name, work, server, page, *measure):
    """A Python library on a file of fsspec, which fetches the parts that are read."""
    head, tail = [name, work], [str(page), str(page), *(f"{value:g}" for value in measure), "OUT"]
    shown = {"pdfium": "pypdfium2", "pypdf": "pypdf"}[name]
    return Entrant(f"{shown} on a file of fsspec", shown, [[peers.python, SCRIPT, *head, server.address, *tail]],
                   " ".join(["python3 python_peers.py", *head, SHOWN, *tail]),
                   written=written_text if work == "text" else None)
