"""Row: a thumbnail of each of many small documents, as a file manager or an archive needs them."""

from .peers import SCRIPT
from .run import Entrant
from .workloads import Row

SIDE = 256
# How many documents a Python script gets at a time.
BATCH = 50


def many_documents(documents, recto, peers):
    folder = documents["single"]
    yield Row(
        "many", "many",
        f"thumbnails of {SIDE} pixels of {folder.pages:,} documents with one page each",
        [
            recto.folder_thumbs(folder, SIDE),
            recto.folder_thumbs(folder, SIDE, "--isolation", "worker"),
            each(folder, "pdftocairo", "poppler", peers.processes,
                 f"pdftocairo -png -scale-to {SIDE} -singlefile $0/{{}}.pdf OUT/{{}}"),
            each(folder, "pdftoppm", "poppler", peers.processes,
                 f"pdftoppm -png -scale-to {SIDE} -singlefile $0/{{}}.pdf OUT/{{}}"),
            each(folder, "mutool draw", "mutool", peers.processes,
                 f"mutool draw -q -w {SIDE} -h {SIDE} -o OUT/{{}}.png $0/{{}}.pdf"),
            library(folder, "pdfium", peers),
            library(folder, "pymupdf", peers),
        ],
        memory=True, warm=False)


def each(folder, name, peer, processes, command):
    """A command for each document; {} stands for its name."""
    loop = f"ls $0 | sed 's/.pdf$//' | xargs -P{processes} -I{{}} {command}"
    return Entrant(f"{name}, {processes} processes", peer, [["sh", "-c", loop, str(folder.path)]],
                   loop.replace("$0", folder.shown), processes)


def library(folder, name, peers):
    """A Python library, which gets a part of the documents at a time."""
    def loop(python, script):
        return (f"ls -d $0/*.pdf | xargs -P{peers.processes} -n{BATCH} {python} {script} {name} "
                f"documents {SIDE} OUT")

    shown = loop("python3", "python_peers.py").replace("$0", folder.shown)
    title = {"pdfium": "pypdfium2 + Pillow", "pymupdf": "PyMuPDF"}[name]
    return Entrant(f"{title}, {peers.processes} processes", title.split()[0],
                   [["sh", "-c", loop(peers.python, SCRIPT), str(folder.path)]], shown,
                   peers.processes)
