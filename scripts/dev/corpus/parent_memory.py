"""Runs every command over hostile PDFs and fails when the command itself takes more than 100 MB.

Its workers do not count. A command that ends by a signal, with an undocumented exit code, or not in
time fails too. `layout --all` prints as much as the document claims: that is read and thrown away, and
the command is stopped when its time is over.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

from sweep import GOOD_CODES, LARGEST_COMMAND, watch

TIMEOUT = 1  # seconds for a page; opening and measuring get half
SECONDS = 60  # for a command
LAYOUT = ["layout", "FILE", "--no-cache"]
COMMANDS = [
    ["info", "FILE", "--json"],
    LAYOUT,
    [*LAYOUT, "--page", "z"],
    [*LAYOUT, "--pages", "z-1,1-z", "--spread", "book"],
    [*LAYOUT, "--offset", "1e12", "--spread", "double", "--wide-alone", "1.2", "--alone", "1"],
    [*LAYOUT, "--zoom", "0.01", "--gap", "0", "--margin", "0"],
    [*LAYOUT, "--mode", "grid", "--page", "z"],
    [*LAYOUT, "--mode", "carousel", "--spread", "book", "--page", "z"],
    [*LAYOUT, "--mode", "paged", "--together", "z", "--page", "z"],
    [*LAYOUT, "--axis", "horizontal", "--rtl", "--sticky", "1,z"],
    [*LAYOUT, "--page-reader", "poppler", "--offset", "1e12"],
    [*LAYOUT, "--all"],
    [*LAYOUT, "--all", "--pages", "z-1", "--mode", "grid"],
    ["layout", "FILE", "--all"],
    ["render", "FILE", "-o", "OUT"],
    ["render", "FILE", "-o", "OUT", "--spread", "book", "--page", "z", "--prefetch", "2"],
    ["thumbs", "FILE", "-o", "OUT", "--size", "64", "--pages", "all"],
    ["thumbs", "FILE", "-o", "OUT", "--size", "64", "--pages", "z-1,1-z"],
    ["serve", "FILE", "--stdio"],
    ["serve", "FILE", "--stdio", "--sizes", "exact", "--no-cache"],
]
CONVERSATION = [
    {"op": "view", "anchor": {"page": 2}, "velocity": {"x": 0, "y": 4000}},
    {"op": "view", "offset": {"x": 0, "y": 1e12}},
    {"op": "layout", "layout": {"mode": "grid", "spread": "book"}},
    {"op": "layout", "layout": {"mode": "continuous", "pages": "z-1", "sticky": "1"}},
    {"op": "zoom", "zoom": 0.02},
    {"op": "page", "at": {"x": 20, "y": 20}},
    {"op": "destination", "page": 1, "type": "XYZ", "left": 5, "top": 5},
    {"op": "stats"},
]


def run(recto, path, folder, command):
    """What one command on one file did: its peak in bytes, and what is wrong with it."""
    out = folder / "out"
    replaced = {"FILE": os.fsencode(path), "OUT": str(out)}
    arguments = [recto, *(replaced.get(word, word) for word in command), "--timeout", str(TIMEOUT)]
    with tempfile.TemporaryFile() as requests:
        if command[0] == "serve":
            requests.writelines(json.dumps(request).encode() + b"\n" for request in CONVERSATION)
            requests.seek(0)
        process = subprocess.Popen(
            arguments, stdin=requests, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=dict(os.environ, XDG_CACHE_HOME=str(folder / "cache")),
        )
    # Read and thrown away: how much is printed must make no difference.
    read = []
    reader = threading.Thread(target=drain, args=[process.stdout, read], daemon=True)
    reader.start()
    peak = watch(process, SECONDS, signal.SIGTERM)
    reader.join()
    shutil.rmtree(out, ignore_errors=True)
    code = process.returncode
    # The command's own end by that signal, in the middle of what it prints or before.
    is_stopped = code in (128 + signal.SIGTERM, -signal.SIGTERM, -signal.SIGKILL)
    wrong = []
    if peak > LARGEST_COMMAND:
        wrong.append(f"took {peak / 1e6:.0f} MB")
    if is_stopped:
        if code != 128 + signal.SIGTERM or "--all" not in command or not read:
            wrong.append(f"ran for more than {SECONDS} s")
    elif code < 0:
        wrong.append(f"ended by {signal.Signals(-code).name}")
    elif code not in GOOD_CODES | {64}:
        wrong.append(f"exit code {code}")
    return peak, " ".join(command), path, wrong


def drain(stream, read):
    """Reads to the end; `read` gets an element as soon as there is anything."""
    while stream.read1(1 << 16):
        read[:] = [True]


def check(recto, path):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="recto-memory-"))
    try:
        return [run(recto, path, folder, command) for command in COMMANDS]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("recto")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="*", metavar="GLOB", help="files with such a name")
    options = parser.parse_args()
    files = [path for folder in options.folders for path in sorted(folder.rglob("*.pdf"))
             if path.match(options.only)]
    recto = os.path.abspath(options.recto)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [run for some in pool.map(lambda path: check(recto, path), files) for run in some]
    print(f"{len(files)} files, {len(runs)} commands; the largest:")
    for peak, command, path, _ in sorted(runs, key=lambda run: run[0], reverse=True)[:5]:
        print(f"{peak / 1e6:6.1f} MB  {path.name}: {command}")
    wrong = [(command, path, words) for _, command, path, some in runs for words in some]
    for command, path, words in wrong:
        print(f"FAILED {path.name}: {command}: {words}")
    sys.exit(1 if wrong or not files else 0)


if __name__ == "__main__":
    main()
