"""Compares the page tree reader with poppler on documents that are nearly right.

Makes small documents of every kind, and takes files of the fixtures and the corpus; changes each in one
place or a few; asks both readers for the number of pages, boxes, rotation and labels; with --pixels also
draws up to four pages from the file and from its subsets. A case is made from the seed and its number
alone. Files that make a difference are kept, a few of each kind.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import time
import traceback
from pathlib import Path

import cases
from readers import Readers
from reduce import case_number, reduce_file


def arguments():
    parser = argparse.ArgumentParser(
        prog="fuzz-readers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1", help="what the cases are made from (default: 1)")
    parser.add_argument("--cases", type=int, default=20000, metavar="N", help="how many (default: 20000)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first one")
    parser.add_argument("--seconds", type=float, metavar="N", help="stop after that time")
    parser.add_argument("--pixels", action="store_true", help="draw pages at 36 dpi from the file and from its subsets too")
    parser.add_argument("--facts", action="store_true", help="compare title and page layout too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes (default: one a core)")
    parser.add_argument("--keep", type=Path, default=Path(".build/fuzz-readers/found"), metavar="DIR", help="where files that differ are kept")
    parser.add_argument("--each", type=int, default=2, metavar="N", help="files kept of each kind and mutation (default: 2)")
    parser.add_argument("--largest", type=int, default=256, metavar="KIB", help="files to begin with, up to this size (default: 256)")
    parser.add_argument("--make", type=int, metavar="CASE", help="write this case's bytes to standard output and stop")
    parser.add_argument("--check", nargs="+", type=Path, metavar="FILE", help="say what the readers make of these files")
    parser.add_argument("--reduce", nargs="+", type=Path, metavar="FILE", help="make these files smaller as long as they differ in the same way; writes FILE.reduced.pdf")
    parser.add_argument("--programs", type=Path, default=Path(".build/fuzz-readers"), help=argparse.SUPPRESS)
    parser.add_argument("--report", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def seeds(options):
    folders = ["Fixtures", os.environ.get("RECTO_CORPUS")]
    return cases.Seeds([folder for folder in folders if folder], options.largest << 10)


class Totals:
    """Outcomes by kind, and the files kept."""

    def __init__(self):
        self.kinds = collections.Counter()
        self.found = collections.Counter()  # by kind and mutations
        self.examples = {}

    def lines(self):
        for kind, count in self.kinds.items():
            yield "\t".join(("kind", kind, str(count)))
        for (kind, names), count in self.found.items():
            yield "\t".join(("found", kind, names, str(count), *self.examples[kind, names]))

    def add(self, line):
        first, kind, *rest = line.split("\t")
        if first == "kind":
            self.kinds[kind] += int(rest[0])
        else:
            self.found[kind, rest[0]] += int(rest[1])
            self.examples.setdefault((kind, rest[0]), (rest[2], rest[3]))


def simplest(options, number, files, readers, kind, data, names, words):
    """The case with as few of its mutations as make the same difference."""
    for only in ((), (0,), (1,), (2,), (3,), (0, 1), (0, 2), (1, 2)):
        if len(only) >= len(names) - 1:
            continue
        fewer, fewer_names = cases.make(options.seed, number, files, only)
        found, fewer_words = readers.judge(fewer, number)
        if found == kind:
            return fewer, fewer_names, fewer_words
    return data, names, words


def fuzz(options, numbers):
    """Tries cases and returns their totals."""
    files = seeds(options)
    readers = Readers(options.programs, options.pixels, options.facts)
    totals = Totals()
    options.keep.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    for number in numbers:
        if options.seconds and time.monotonic() - begun > options.seconds:
            break
        try:
            data, names = cases.make(options.seed, number, files)
        except (IndexError, KeyError, TypeError, ValueError) as error:
            # Mutations that do not go together.
            totals.kinds[f"not made: {type(error).__name__} {error}"[:60]] += 1
            continue
        kind, words = readers.judge(data, number)
        totals.kinds[kind] += 1
        if not kind.startswith("differ"):
            continue
        data, names, words = simplest(options, number, files, readers, kind, data, names, words)
        key = (kind, " ".join(sorted(set(names[1:])) or ["unchanged"]))
        totals.found[key] += 1
        if totals.found[key] <= options.each:
            path = options.keep / f"{re.sub('[^a-z]+', '-', kind[8:])}-{options.seed}-{number}.pdf"
            path.write_bytes(data)
            totals.examples.setdefault(key, (str(path), f"{names[0]}: {words}".replace("\t", " ")))
    readers.stop()
    return totals


def run_jobs(options):
    """Runs as many processes as asked for; each takes every n-th case."""
    if options.jobs <= 1:
        return fuzz(options, range(options.first, options.first + options.cases))
    children = []
    for job in range(options.jobs):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            code = 70
            try:
                totals = fuzz(options, range(options.first + job, options.first + options.cases, options.jobs))
                with open(write, "w") as output:
                    output.writelines(line + "\n" for line in totals.lines())
                code = 0
            except Exception:
                traceback.print_exc()
            finally:
                os._exit(code)
        os.close(write)
        children.append((child, read))
    totals = Totals()
    isComplete = True
    for child, read in children:
        with open(read) as lines:
            for line in lines:
                totals.add(line.rstrip("\n"))
        isComplete = os.waitpid(child, 0)[1] == 0 and isComplete
    if not isComplete:
        sys.exit("fuzz-readers: a process failed")
    return totals


def show(options, totals, seconds):
    count = sum(totals.kinds.values())
    print(f"seed {options.seed}: {count} cases in {seconds:.0f} s")
    for kind, number in sorted(totals.kinds.items(), key=lambda item: (item[0].startswith("differ"), -item[1])):
        print(f"{number:9}  {kind}")
    # The simplest of each kind first, then the most frequent.
    for (kind, names), number in sorted(totals.found.items(), key=lambda item: (item[0][0], item[0][1].count(" "), -item[1])):
        path, words = totals.examples[kind, names]
        print(f"{kind[8:]}\t{number}\t{names}\t{path}\t{words}")
    return 1 if totals.found else 0


def main():
    options = arguments()
    if options.make is not None:
        data, names = cases.make(options.seed, options.make, seeds(options))
        sys.stdout.buffer.write(data)
        print(*names, file=sys.stderr)
        return 0
    if options.check or options.reduce:
        readers = Readers(options.programs, options.pixels, options.facts)
        differs = 0
        for path in options.check or []:
            kind, words = readers.judge(path.read_bytes(), case_number(path))
            differs |= kind.startswith("differ")
            print(f"{path}\t{kind}\t{words}", flush=True)
        for path in options.reduce or []:
            differs |= reduce_file(readers, path)
        readers.stop()
        return int(differs)
    begun = time.monotonic()
    totals = run_jobs(options)
    return show(options, totals, time.monotonic() - begun)


if __name__ == "__main__":
    sys.exit(main())
