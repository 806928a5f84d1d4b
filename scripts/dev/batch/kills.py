"""Kills a run with SIGKILL at random moments, resumes it each time, and compares the end.

The pictures have to be byte for byte those of an undisturbed run, each document has to have exactly one
line in the journal, nothing may be left beside the pictures, and no worker may live on.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def lines(journal):
    """The complete lines of a journal, and the number of torn ones."""
    found, torn = [], 0
    for line in journal.read_bytes().split(b"\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            torn += line != b""
    return found, torn


def workers(recto):
    """The workers of this recto that are running."""
    program, found = str(recto.parent / "recto-worker"), []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink(f"/proc/{name}/exe") == program:
                found.append(int(name))
        except OSError:
            pass
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("recto", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("options", nargs="*", help="of recto thumbs, after --")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="recto-kills-"))
    # A copy, so that workers of other runs are not taken for ours.
    for name in ("recto", "recto-worker"):
        shutil.copy2(options.recto.parent / name, work / name)
    try:
        wrong = check(options, work / "recto", work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for words in wrong:
        print(f"FAILED {words}")
    sys.exit(1 if wrong else 0)


def check(options, recto, work):
    def command(output, *more):
        words = [recto, "thumbs", "-q", "--no-cache", *more, *options.options, "-o", output, options.folder]
        return [str(word) for word in words]

    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    start = time.monotonic()
    code = subprocess.run(command(work / "expected"), **quiet).returncode
    seconds = time.monotonic() - start
    source = random.Random(options.seed)
    print(f"undisturbed: {seconds:.1f} s, exit code {code}; seed {options.seed}")
    journal, kills, wrong, work_done = work / "journal.jsonl", 0, [], []
    output = work / "out"
    while kills < options.kills:
        process = subprocess.Popen(command(output, "--resume", "--journal", journal), **quiet)
        try:
            process.wait(source.uniform(0.02, 4 * seconds / options.kills))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
        else:
            # Done before all kills: begin again.
            wrong += compare(work, output, journal, process.returncode, code)
            shutil.rmtree(output)
            journal.unlink()
        if journal.exists():
            work_done.append(len(lines(journal)[0]))
    code_again = subprocess.run(command(output, "--resume", "--journal", journal), **quiet).returncode
    print(f"{kills} kills; documents done after each: {' '.join(map(str, work_done))}")
    wrong += compare(work, output, journal, code_again, code)
    limit = time.monotonic() + 40
    while workers(recto) and time.monotonic() < limit:
        time.sleep(0.1)
    if left := workers(recto):
        wrong.append(f"{len(left)} workers live on")
    return wrong


def compare(work, output, journal, code, expected_code):
    wrong, expected, made = [], files(work / "expected"), files(output)
    found, torn = lines(journal)
    paths = [line["path"] for line in found]
    print(f"complete: {len(made)} files, {len(found)} lines, {torn} torn, exit code {code}")
    if made != expected:
        different = [name for name in expected if name in made and made[name] != expected[name]]
        wrong.append(f"missing {sorted(expected.keys() - made.keys())[:5]}, too many"
                     f" {sorted(made.keys() - expected.keys())[:5]}, different {different[:5]}")
    if len(paths) != len(set(paths)):
        wrong.append(f"{len(paths) - len(set(paths))} documents were done twice")
    if code != expected_code:
        wrong.append(f"exit code {code}, undisturbed {expected_code}")
    return wrong


if __name__ == "__main__":
    main()
