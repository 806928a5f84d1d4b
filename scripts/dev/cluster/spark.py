"""Runs docs/examples/Cluster/thumbnails.py on executors of this machine, kills one, and checks what is made."""

import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import pyspark

import batch

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXECUTORS = 4
RANGE = 50


def is_executor(pid):
    try:
        return b"CoarseGrainedExecutorBackend" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def busy_executor(submitted):
    """An executor with a recto below it; 0 if there is none."""
    for pid in batch.descendants(submitted.pid):
        if is_executor(pid) and any(batch.name(child) == "recto" for child in batch.descendants(pid)):
            return pid
    return 0


def submit(folder, recto, arguments):
    """Starts the program."""
    home = pathlib.Path(pyspark.__file__).parent
    environment = dict(
        os.environ, SPARK_HOME=str(home), PYSPARK_PYTHON=sys.executable,
        PATH=f"{recto.parent}:{os.environ['PATH']}", SPARK_LOCAL_IP="127.0.0.1",
        SPARK_LOCAL_DIRS=str(folder / "spark"), SPARK_WORKER_DIR=str(folder / "spark"),
    )
    log = open(folder / "spark.log", "ab")
    return subprocess.Popen(
        [str(home / "bin/spark-submit"), "--master", f"local-cluster[{EXECUTORS},1,1024]"]
        + ["--conf", "spark.ui.enabled=false", ROOT / "docs/examples/Cluster/thumbnails.py", *arguments],
        env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=log, text=True,
    )


def finish(folder, submitted):
    """What the program has printed."""
    printed, _ = submitted.communicate(timeout=600)
    if submitted.returncode != 0:
        print((folder / "spark.log").read_text()[-4000:])
        sys.exit(f"FAILED spark-submit ended with {submitted.returncode}")
    return printed


def run(folder, recto, arguments, is_due):
    """Runs the program, and kills an executor when it is time; returns what it printed."""
    submitted = submit(folder, recto, arguments)
    batch.until(lambda: submitted.poll() is not None or is_due(), "the first half", 300)
    found = []
    batch.until(
        lambda: submitted.poll() is not None or found.append(busy_executor(submitted)) or found[-1], "an executor", 60
    )
    if found and found[-1]:
        os.kill(found[-1], signal.SIGKILL)
        print(f"executor {found[-1]} killed")
    printed = finish(folder, submitted)
    text = (folder / "spark.log").read_text()
    lost = set(re.findall(r"Lost executor (\d+)", text))
    if not lost:
        sys.exit("FAILED no executor was lost")
    failed = len(re.findall(r"WARN TaskSetManager: Lost task", text))
    print(f"executors lost: {len(lost)}, tasks that ran again: {failed}")
    (folder / "spark.log").unlink()
    return printed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recto", type=pathlib.Path)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    options = parser.parse_args()
    recto = options.recto.resolve()
    with batch.checking("spark") as (folder, wrong):
        wrong += of_documents(recto, options.count, folder) + of_pages(recto, folder)


def of_documents(recto, count, folder):
    library, output = folder / "library", folder / "thumbnails"
    batch.write_library(library, count)
    for part in library.iterdir():  # documents of one name
        min(part.iterdir()).rename(part / "cover.pdf")
    paths = sorted(library.rglob("*.pdf"))
    listed = folder / "paths"
    listed.write_text("".join(f"{path}\n" for path in paths))
    expected = folder / "expected"
    subprocess.run(
        [recto, "thumbs", "--no-cache", "--from", listed, "-o", expected], check=True, stdout=subprocess.DEVNULL
    )
    started = time.monotonic()
    journal = output / "journal.jsonl"
    printed = run(
        folder, recto, ["documents", listed, output, "--tasks", str(EXECUTORS)],
        lambda: batch.line_count(journal) >= count // 3,
    )
    print(f"{count} documents on {EXECUTORS} executors, {time.monotonic() - started:.1f} s: {printed.split()}")
    lines = written(output)
    print(f"left out by tasks that ran again: {sum('unchanged' in line for line in lines)};"
          f" lines in the journal: {batch.line_count(journal)}")
    wrong = [] if answered(lines) == [str(path) for path in paths] else [f"{len(lines)} answers"]
    wrong += batch.faults(library, [journal], output, batch.pictures(expected), may_repeat=True)
    return wrong + again(folder, recto, listed, output)


def written(output):
    """The lines of the tasks."""
    return [line for part in sorted((output / "lines").glob("part-*")) for line in batch.lines(part)]


def answered(lines):
    return sorted(line["path"] for line in lines)


def again(folder, recto, listed, output):
    """What is wrong with a second run with the same OUTPUT, after a document was added to the list."""
    paths = listed.read_text().splitlines()
    added = folder / "added.pdf"
    shutil.copy(paths[0], added)
    listed.write_text("".join(f"{path}\n" for path in [*paths, added]))
    printed = finish(folder, submit(folder, recto, ["documents", listed, output, "--tasks", str(EXECUTORS)]))
    lines = written(output)
    new = [line["path"] for line in lines if "unchanged" not in line]
    print(f"run again with one document more: {printed.split()}, {len(new)} made")
    if new != [str(added)] or answered(lines) != sorted([*paths, str(added)]):
        return [f"the second run made {len(new)} documents and has lines of {len(lines)}"]
    return []


def of_pages(recto, folder):
    book, output = folder / "book.pdf", folder / "pages"
    subprocess.run(
        ["qpdf", "--empty", "--pages", *sorted((folder / "library").rglob("*.pdf")), "--", book], check=True
    )
    expected = batch.undisturbed(recto, book, folder / "expected-pages", "--pages", "all")
    started = time.monotonic()
    printed = run(
        folder, recto, ["pages", book, output, "--range", str(RANGE)],
        lambda: len(batch.pictures(output)) >= len(expected) // 3,
    )
    seconds = time.monotonic() - started
    print(f"{len(expected)} pages in tasks of {RANGE}, {seconds:.1f} s: {printed.split()}")
    made = batch.pictures(output)
    different = [str(path) for path in expected if made.get(path) != expected[path]]
    return [f"{len(made)} pages, {len(different)} differ: {different[:3]}"] if made != expected else []


if __name__ == "__main__":
    main()
