"""What the checks of the cluster examples share: a library, and what a run has to leave."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "batch"))
import documents  # noqa: E402


@contextlib.contextmanager
def checking(name):
    """A folder for a check, and a list for what is wrong, which is printed at the end. Ends the process with 1 if there
    is something in it, else with 0. The folder stays if RECTO_KEEP is set."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"recto-{name}-", dir="/var/tmp"))
    wrong = []
    try:
        yield folder, wrong
    finally:
        if "RECTO_KEEP" not in os.environ:
            shutil.rmtree(folder, ignore_errors=True)
    for words in wrong:
        print(f"FAILED {words}")
    sys.exit(1 if wrong else 0)


def write_library(folder, count):
    """Documents in directories of a hundred."""
    found = documents.write(folder, count)
    for number, path in enumerate(found):
        part = folder / f"{number // 100:02}"
        part.mkdir(exist_ok=True)
        path.rename(part / path.name)


def undisturbed(recto, library, output, *options):
    """The pictures of one run over all documents: their bytes by path below the output."""
    subprocess.run(
        [recto, "thumbs", "--no-cache", *options, "-o", output, library], check=True, stdout=subprocess.DEVNULL
    )
    return pictures(output)


def pictures(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*.png"))}


def until(condition, what, seconds=30):
    """Waits for a condition, and gives up with a message."""
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            sys.exit(f"gave up waiting for {what} after {seconds} s")
        time.sleep(0.005)


def parents():
    """The parent of each process."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                text = pathlib.Path(f"/proc/{name}/stat").read_text()
                found[int(name)] = int(text.rpartition(") ")[2].split()[1])
            except OSError:
                pass
    return found


def descendants(pid):
    known, found = parents(), {pid}
    while more := {child for child, parent in known.items() if parent in found} - found:
        found |= more
    return found


def name(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def line_count(path):
    try:
        return path.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def lines(path):
    """The complete JSON lines of a file."""
    found = []
    for line in path.read_bytes().split(b"\n")[:-1]:
        try:
            found.append(json.loads(line))
        except ValueError:
            pass  # torn by a kill
    return found


def entries(journals):
    """The lines of several journals."""
    return [line for journal in journals for line in lines(journal) if line.get("journal") == 1]


def faults(library, journals, output, expected, may_repeat=False):
    """What is wrong with the journals and pictures of a run."""
    wrong = []
    # A line about a document that was interrupted is followed by another one.
    found = [line for line in entries(journals) if not line.get("interrupted")]
    paths = [line["path"] for line in found]
    documents_ = {str(path) for path in library.rglob("*.pdf")}
    if len(paths) != len(set(paths)) and not may_repeat:
        wrong.append(f"{len(paths) - len(set(paths))} documents were done twice")
    if set(paths) != documents_:
        wrong.append(f"{len(documents_ - set(paths))} documents have no line")
    wrong += [f"{line['path']}: {line['error']}" for line in found if "error" in line]
    made = pictures(output)
    if made != expected:
        different = [str(path) for path in expected if made.get(path) != expected[path]]
        wrong.append(f"{len(made)} pictures, {len(expected)} expected, {len(different)} differ")
    for path in made:
        with Image.open(output / path) as picture:
            picture.load()
    return wrong
