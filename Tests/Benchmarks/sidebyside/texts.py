"""Rows: the text of pages, and a search for a word."""

from .peers import SCRIPT, divided
from .run import written_text
from .workloads import Row

WORD = "variance"


def texts(documents, recto, peers):
    document = documents["fullrefman"]
    task = (document, 1001, 1200)
    many = peers.processes
    yield Row(
        "text", "text", f"the text of pages 1,001 to 1,200 of {document.shown}",
        [
            recto.text(*task), recto.text(*task, cached=True),
            pdftotext(*task), pdftotext(*task, many),
            mutool(*task), mutool(*task, many),
            library(peers, "pdfium", "text", *task), library(peers, "pdfium", "text", *task, many),
            library(peers, "pymupdf", "text", *task), library(peers, "pymupdf", "text", *task, many),
        ],
        memory=True, quick=True)


def searches(documents, recto, peers):
    document = documents["fullrefman"]
    task = (document, 1, document.pages)
    yield Row(
        "search", "search",
        f"“{WORD}” in all {document.pages:,} pages of {document.shown}",
        [
            recto.search(document, WORD), recto.search(document, WORD, cached=True),
            grep(*task), grep(*task, peers.processes),
            library(peers, "pdfium", "search", *task, 1, WORD),
            library(peers, "pdfium", "search", *task, peers.processes, WORD),
            library(peers, "pymupdf", "search", *task, 1, WORD),
            library(peers, "pymupdf", "search", *task, peers.processes, WORD),
        ],
        memory=True)


def of_text(*arguments):
    """As `divided`, of work that writes text."""
    entrant = divided(*arguments)
    entrant.written = written_text
    return entrant


def pdftotext(document, first, last, processes=1):
    def command(a, b):
        argv = ["pdftotext", "-f", str(a), "-l", str(b)]
        return ([*argv, str(document.path), f"OUT/{a}.txt"],
                " ".join([*argv, document.shown, f"OUT/{a}.txt"]))

    return of_text("pdftotext", "poppler", command, first, last, processes)


def mutool(document, first, last, processes=1):
    def command(a, b):
        argv = ["mutool", "draw", "-q", "-F", "txt", "-o", f"OUT/{a}.txt"]
        return [*argv, str(document.path), f"{a}-{b}"], " ".join([*argv, document.shown, f"{a}-{b}"])

    return of_text("mutool draw", "mutool", command, first, last, processes)


def grep(document, first, last, processes=1):
    """Lines with the word, of all text: without the number of the page, and not across lines."""
    def command(a, b):
        line = f'pdftotext -f {a} -l {b} "$0" - | grep -in {WORD}'
        return ["sh", "-c", line, str(document.path)], line.replace('"$0"', document.shown)

    return of_text("pdftotext and grep", "poppler", command, first, last, processes)


def library(peers, name, work, document, first, last, processes=1, *words):
    """A Python library through python_peers.py."""
    def command(a, b):
        head, tail = [name, work], [str(a), str(b), *words, *([] if words else ["OUT"])]
        return ([peers.python, SCRIPT, *head, str(document.path), *tail],
                " ".join(["python3 python_peers.py", *head, document.shown, *tail]))

    shown = {"pdfium": "pypdfium2", "pymupdf": "PyMuPDF"}[name]
    return of_text(shown, shown, command, first, last, processes)
