"""Makes thumbnails of all PDFs below a folder in one run, and checks that it ends as it should.

Prints each failure with its code, the peak of memory and the time. Fails if the command does not end
with the code that its failures call for, if a document has not exactly one line in the journal, or if
Pillow cannot read a picture.
"""

import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

from PIL import Image

import processes

# Pictures of hostile pages may be larger than Pillow thinks safe.
Image.MAX_IMAGE_PIXELS = None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("recto", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("options", nargs="*", help="of recto thumbs, after --")
    options = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="recto-corpus-"))
    try:
        wrong = check(options, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for words in wrong:
        print(f"FAILED {words}")
    sys.exit(1 if wrong else 0)


def check(options, work):
    output, journal = work / "out", work / "journal.jsonl"
    command = [options.recto, "thumbs", "--no-cache", "-q", "--journal", journal, "-o", output]
    command += [*options.options, options.folder]
    start = time.monotonic()
    with open(work / "lines", "wb") as lines, open(work / "messages", "wb") as messages:
        process = subprocess.Popen([str(word) for word in command], stdout=lines, stderr=messages)
        watch = processes.Watch(process.pid, 0.1)
        code, usage = processes.wait(process, watch)
    seconds = time.monotonic() - start
    entries = [json.loads(line) for line in journal.read_bytes().splitlines()]
    inputs = sorted(
        str(path) for path in options.folder.rglob("*") if path.suffix in (".pdf", ".PDF") and path.is_file()
    )
    print(f"{len(inputs)} documents in {seconds:.1f} s, exit code {code};"
          f" processor seconds {usage.ru_utime + usage.ru_stime:.1f}")
    print("peak of memory, MB: command {:.1f}, all processes {:.1f}".format(*watch.peak()))
    failures = [(error["code"], entry["path"], error["message"]) for entry in entries for error in errors(entry)]
    counts = collections.Counter(code for code, _, _ in failures)
    print("failures: " + ", ".join(f"{code} {count}" for code, count in counts.most_common()))
    for code_, path, message in sorted(failures):
        print(f"  {code_:16} {pathlib.Path(path).name}: {message}")
    incomplete = [entry["path"] for entry in entries for page in entry.get("thumbnails", []) if "incomplete" in page]
    print(f"incomplete: {len(incomplete)}")
    wrong = []
    if sorted(entry["path"] for entry in entries) != inputs:
        wrong.append(f"{len(entries)} lines for {len(inputs)} documents")
    if code != (1 if failures else 0):
        wrong.append(f"exit code {code} with {len(failures)} failures")
    named = {page["file"] for entry in entries for page in entry.get("thumbnails", []) if "file" in page}
    made = {str(path.relative_to(output)) for path in output.rglob("*") if path.is_file()}
    if named != made:
        wrong.append(f"{len(named - made)} files are missing, {len(made - named)} are not in the journal")
    for name in sorted(made):
        try:
            with warnings.catch_warnings(), Image.open(output / name) as picture:
                warnings.simplefilter("error")
                picture.load()
        except Exception as error:  # whatever a reader objects to
            wrong.append(f"{name}: {error}")
    print(f"{len(made)} pictures")
    return wrong


def errors(entry):
    """The failures in a line of a journal."""
    found = [entry.get("error")] + [page.get("error") for page in entry.get("thumbnails", [])]
    return [error for error in found if error]


if __name__ == "__main__":
    main()
