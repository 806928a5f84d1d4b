"""Runs `recto info`, `layout`, `render` and `thumbs` over a corpus of real and hostile PDFs.

What is checked is what must hold for any file at all: a documented exit code and no signal, the time
that the deadlines allow, one `recto: ` line a message, JSON on standard output, whole PNG files, no
temporary file, no worker left behind, no cached tile of a page that failed, and less than 100 MB in
the command itself. Exit code 1 when anything is violated.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

TIMEOUT = 5  # seconds for a page; opening and measuring get half
MARGIN = 3
LARGEST_COMMAND = 100_000_000
GOOD_CODES = {0, 1, 65, 66, 75, 77}
COMMANDS = {
    "info": ["--json"],
    "layout": [],
    "layout --all": ["--all"],
    "render": ["-o", "OUT"],
    "thumbs": ["-o", "OUT", "--size", "128"],
}


def watch(process, seconds, stop=signal.SIGKILL):
    """Waits for the end and looks at the command's own memory meanwhile; its peak in bytes.

    Not `wait4`: its figure takes in the workers that the command has waited for. A command that
    outlives its time gets the signal, and is killed if that does not end it.
    """
    peak, end = 0, time.monotonic() + seconds
    while process.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            found = re.search(r"VmHWM:\s+(\d+)", status)
            peak = max(peak, int(found[1]) * 1024 if found else 0)
        except OSError:
            pass
        if time.monotonic() > end:
            process.send_signal(stop)
            stop, end = signal.SIGKILL, end + MARGIN
        time.sleep(0.005)
    return peak


class Run:
    """One command on one file: what it did, and which promises it broke."""

    def __init__(self, recto, name, path, folder):
        self.name, self.path, self.broken = name, path, []
        self.folder, self.peak, self.pages = folder, 0, []
        self.out = folder / f"out-{uuid.uuid4().hex}"
        words = [str(self.out) if word == "OUT" else word for word in COMMANDS[name]]
        arguments = [recto, name.split()[0], os.fsencode(path), "--timeout", str(TIMEOUT), *words]
        self.tiles_before = len(self.cached())
        self.mark = f"RECTO_SWEEP={uuid.uuid4().hex}"
        key, value = self.mark.split("=")
        environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"), **{key: value})
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            began = time.monotonic()
            process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment
            )
            self.peak = watch(process, seconds=300)
            self.seconds = time.monotonic() - began
            self.code = process.returncode
            output.seek(0)
            errors.seek(0)
            self.output, self.errors = output.read(), errors.read()
        self.check()
        shutil.rmtree(self.out, ignore_errors=True)

    def check(self):
        if self.code < 0:
            self.broken.append(f"ended by {signal.Signals(-self.code).name}")
        elif self.code not in GOOD_CODES:
            self.broken.append(f"exit code {self.code}")
        self.check_messages()
        self.check_output()
        self.check_pictures()
        failed = sum("error" in page for page in self.pages)
        # Opening, measuring, then for each page that fails its own deadline and another opening;
        # 10,000 pages a second to lay out and print.
        allowed = TIMEOUT + 1.5 * TIMEOUT * max(1, failed) + MARGIN + len(self.pages) / 10_000
        if self.seconds > allowed:
            self.broken.append(f"took {self.seconds:.1f} s, {allowed:.1f} s allowed")
        if self.peak > LARGEST_COMMAND:
            self.broken.append(f"the command took {self.peak / 1e6:.0f} MB")
        left = [path for path in self.folder.rglob(".recto-tmp-*")]
        if left:
            self.broken.append(f"left {left[0].name}")
        if self.has_orphan():
            self.broken.append("a worker is left")

    def check_messages(self):
        text = self.errors.decode("utf-8", "replace")
        lines = text.split("\n")[:-1]
        if text and not text.endswith("\n"):
            self.broken.append("standard error does not end with a line")
        for line in lines:
            if not line.startswith("recto: ") or any(ord(c) < 32 or ord(c) == 127 for c in line):
                self.broken.append(f"message {line[:100]!r}")
        if self.code >= 64 and len(lines) != 1:
            self.broken.append(f"{len(lines)} messages for one failure")
        if self.code == 1 and not lines:
            self.broken.append("exit code 1 without a message")

    def check_output(self):
        if not self.output:
            # A folder without documents has nothing to say.
            if self.code in (0, 1) and not self.path.is_dir():
                self.broken.append("no JSON")
            return
        try:
            answer = json.loads(self.output, parse_constant=lambda word: 1 / 0)
        except (ValueError, ZeroDivisionError) as error:
            self.broken.append(f"bad JSON: {error}")
            return
        if self.name == "thumbs":
            self.pages = answer.get("thumbnails", [answer] if "error" in answer else [])
        else:
            self.pages = [page for spread in answer.get("spreads", []) for page in spread["pages"]]

    def check_pictures(self):
        """Every picture named is a whole PNG; the cache has grown by these and no others."""
        tiles = [tile for page in self.pages for tile in page.get("tiles", [])]
        if self.name == "thumbs":
            tiles = [page for page in self.pages if "file" in page]
        for tile in tiles:
            data = pathlib.Path(tile["file"]).read_bytes()
            whole = data.startswith(b"\x89PNG\r\n\x1a\n") and data.endswith(b"IEND\xaeB`\x82")
            if not whole or len(data) != tile["bytes"]:
                self.broken.append(f"{tile['file']} is not whole")
        made = {str(path) for path in self.out.rglob("*") if path.is_file()}
        if made != {tile["file"] for tile in tiles}:
            self.broken.append(f"{len(made)} files for {len(tiles)} pictures")
        drawn = sum(tile["source"] == "rendered" for tile in tiles)
        grown = len(self.cached()) - self.tiles_before
        if grown != drawn:
            self.broken.append(f"{grown} new tiles in the cache, {drawn} drawn")

    def cached(self):
        tiles = self.folder / "cache/recto/v1/tiles"
        return [path for path in tiles.rglob("*") if path.is_file()]

    def has_orphan(self):
        """Workers see for themselves that the command has gone; one second is plenty."""
        for _ in range(20):
            if not any(self.mark.encode() in environment(pid) for pid in os.listdir("/proc")):
                return False
            time.sleep(0.05)
        return True


def environment(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/environ").read_bytes() if pid.isdigit() else b""
    except OSError:
        return b""


def oddities(folder):
    """What is no ordinary file, or has no ordinary name."""
    folder = folder.resolve()
    os.mkfifo(folder / "fifo.pdf")
    (folder / "directory.pdf").mkdir()
    (folder / "zero.pdf").symlink_to("/dev/zero")
    (folder / "dangling.pdf").symlink_to("nowhere")
    with open(folder / "sparse.pdf", "wb") as file:
        file.truncate(10 << 30)
    page = b"%PDF-1.4\nnothing else\n"
    for name in (b"new\nline.pdf", b"no utf-8 \xff\xfe.pdf", b"-dash.pdf", b"file:colon.pdf"):
        pathlib.Path(os.fsdecode(bytes(folder) + b"/" + name)).write_bytes(page)
    return sorted(folder.iterdir())


def sweep(recto, path):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="recto-sweep-"))
    try:
        return [Run(recto, name, path, folder) for name in COMMANDS]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep_together(recto, files):
    """All documents in one command: one line for each, and a picture for each that succeeded."""
    with tempfile.TemporaryDirectory(prefix="recto-sweep-") as folder:
        listed = [os.fsencode(path) for path in files if b"\n" not in os.fsencode(path)]
        environment = dict(os.environ, XDG_CACHE_HOME=f"{folder}/cache")
        words = ["thumbs", "--from", "-", "-o", f"{folder}/out", "--timeout", str(TIMEOUT)]
        result = subprocess.run(
            [recto, *words], input=b"\n".join(listed), capture_output=True, env=environment
        )
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        good = sum("file" in page for line in lines for page in line.get("thumbnails", []))
        made = sum(path.is_file() for path in pathlib.Path(folder, "out").rglob("*"))
        print(f"all together: exit {result.returncode}, {len(lines)} lines, {made} pictures")
        whole = result.returncode == 1 and good == made
        # A directory has a line for each document in it, and there are none.
        return whole and len(lines) == sum(not os.path.isdir(path) for path in listed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("recto")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="recto-odd-") as odd:
        files = [path for folder in options.folders for path in sorted(folder.rglob("*.pdf"))]
        files += oddities(pathlib.Path(odd))
        recto = os.path.abspath(options.recto)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            runs = [run for some in pool.map(lambda p: sweep(recto, p), files) for run in some]
        together = sweep_together(recto, files)
    codes = collections.Counter((run.name, run.code) for run in runs)
    columns = sorted({code for _, code in codes})
    print(f"{len(files)} files\n{'':14}" + "".join(f"{code:>7}" for code in columns)
          + "   slowest, of the command the largest")
    for name in COMMANDS:
        own = [run for run in runs if run.name == name]
        slowest, largest = max(own, key=lambda r: r.seconds), max(own, key=lambda r: r.peak)
        print(f"{name:14}" + "".join(f"{codes[name, code]:>7}" for code in columns)
              + f"   {slowest.seconds:.1f} s {slowest.path.name!r},"
              + f" {largest.peak / 1e6:.0f} MB {largest.path.name!r}")
    broken = [(run, words) for run in runs for words in run.broken]
    for run, words in broken:
        print(f"BROKEN {run.name} {run.path.name!r} (exit {run.code}): {words}")
    print(f"{len(broken)} promises broken")
    sys.exit(1 if broken or not together else 0)


if __name__ == "__main__":
    main()
