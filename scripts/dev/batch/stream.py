"""Sends many paths to `recto thumbs --from -` and measures the command: memory, processor, promptness.

The paths are symbolic links to small documents. Prints resident memory of the command at every tenth
of the run, the part of the processor seconds that is spent in workers, and the longest time without a
line. Then sends single paths, each after the answer to the one before, and prints how long answers
take. Fails if the command does not answer every path once, or if its memory grows by more than
--growth bytes a path over the second half.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import threading
import time

import documents
import processes


def links(folder, targets, count):
    """Makes links to documents, a thousand in each directory; returns their paths."""
    paths = []
    for number in range(count):
        part = folder / f"{number // 1000:03}"
        if number % 1000 == 0:
            part.mkdir(parents=True)
        path = part / f"{number:06}.pdf"
        path.symlink_to(targets[number % len(targets)])
        paths.append(path)
    return paths


def send(stream, paths):
    with stream:
        for path in paths:
            stream.write(os.fsencode(path) + b"\n")


def flood(options, recto, paths, output):
    """All paths at once; returns what is wrong."""
    command = [recto, "thumbs", "--no-cache", "--from", "-", "-o", output, "--size", options.size]
    command += ["--jobs", options.jobs]
    if options.journal:
        command += ["--journal", output / "journal.jsonl"]
    before, start = processes.busy(), time.monotonic()
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )
    watch = processes.Watch(process.pid)
    threading.Thread(target=send, args=[process.stdin, paths], daemon=True).start()
    answers, failed, last, silence = {}, 0, time.monotonic(), 0
    for line in process.stdout:
        now = time.monotonic()
        silence, last = max(silence, now - last), now
        record = json.loads(line)
        answers[record["path"]] = answers.get(record["path"], 0) + 1
        failed += "error" in record or any("error" in page for page in record["thumbnails"])
    code, usage = processes.wait(process, watch)
    seconds = time.monotonic() - start
    after = processes.busy()
    samples = watch.samples
    own = samples[-1][3]
    all_ = usage.ru_utime + usage.ru_stime
    others = after[0] - before[0] - all_
    idle = after[1] - before[1]
    print(f"{len(paths)} paths in {seconds:.1f} s, {len(paths) / seconds:.1f} a second; exit code {code}")
    print(f"processor seconds: command {own:.1f}, workers {all_ - own:.1f} ({1 - own / all_:.1%}),"
          f" other programs {others:.1f}, idle {idle:.1f}")
    print(f"  of what other programs left: workers {(all_ - own) / (all_ + idle):.1%}, idle {idle / (all_ + idle):.1%}")
    print(f"  for each path: command {1000 * own / len(paths):.3f} ms, workers {1000 * (all_ - own) / len(paths):.3f} ms")
    tenths = [samples[min(len(samples) - 1, len(samples) * tenth // 10)][1] / 1e6 for tenth in range(11)]
    print("resident memory of the command at each tenth, MB: " + " ".join(f"{x:.1f}" for x in tenths))
    print("peak, MB: command {:.1f}, all processes {:.1f}".format(*watch.peak()))
    print(f"longest time without a line: {silence:.2f} s; {failed} failed")
    middle, end = samples[len(samples) // 2][1], samples[-1][1]
    growth = (end - middle) / (len(paths) / 2)
    print(f"growth over the second half: {growth:.1f} bytes a path")
    wrong = []
    if sorted(answers) != sorted(map(str, paths)) or set(answers.values()) != {1}:
        wrong.append(f"{len(answers)} of {len(paths)} paths have answers")
    if growth > options.growth and len(paths) >= 10_000:
        wrong.append(f"memory grows by {growth:.0f} bytes a path")
    if code != (1 if failed else 0):
        wrong.append(f"exit code {code} with {failed} failures")
    return wrong


def converse(options, recto, paths, output):
    """Single paths while standard input stays open."""
    command = [recto, "thumbs", "--no-cache", "--from", "-", "-o", output, "--size", options.size]
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
    )
    answers = process.stdout
    times = []
    for path in paths:
        start = time.monotonic()
        process.stdin.write(os.fsencode(path) + b"\n")
        answers.readline()
        times.append(1000 * (time.monotonic() - start))
    process.stdin.close()
    process.wait()
    print(f"one path at a time: the first answer after {times[0]:.0f} ms, then median"
          f" {statistics.median(times[1:]):.1f} ms, longest {max(times[1:]):.0f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("recto", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--distinct", type=int, default=1000)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--growth", type=int, default=100)
    parser.add_argument("--journal", action="store_true")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/dev/shm/recto-stream"))
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    try:
        targets = documents.write(options.folder / "documents", options.distinct)
        paths = links(options.folder / "links", targets, options.count)
        recto = options.recto.resolve()
        (options.folder / "a").mkdir()
        wrong = flood(options, recto, paths, options.folder / "a")
        converse(options, recto, paths[:201], options.folder / "b")
    finally:
        shutil.rmtree(options.folder, ignore_errors=True)
    for words in wrong:
        print(f"FAILED {words}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
