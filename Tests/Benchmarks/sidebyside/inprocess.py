"""What is measured inside a process: the programs in Tests/Benchmarks/Sources, and one look with strace."""

import json
import re
import shutil
import subprocess

from .run import Entrant, run

# Pages whose pixels the encoders get: document, first and last page, name in the tables.
DUMPS = [("fullrefman", 1000, 1002, "fullrefman"), ("pgfmanual", 300, 302, "pgfmanual"),
         ("mercatormap", 30, 32, "mercatormap"), ("scan", 1, 1, "gray_scan"),
         ("scan", 3, 3, "colour_scan")]

ENCODER_RUNS = [
    ("methods", ["--runs", "3", "--methods", "byContent,quick,1,2,4,6"]),
    ("filters", ["--runs", "3", "--no-cairo", "--methods", "2",
                 "--filters", "none,sub,up,paeth,adaptive,byContent"]),
]


PRODUCTS = ["recto-bench", "EncoderBenchmarks"]


def build(root, progress):
    """Builds the programs, so that nothing is measured in vain if that goes wrong."""
    for product in PRODUCTS:
        progress(f"building {product}")
        done = subprocess.run([root / "scripts/dev/run", "--build", product], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"bench: {product} does not build: {(done.stdout + done.stderr)[-1500:]}")


def swift(root, product, *arguments):
    """Runs a program and reads the JSON it prints."""
    done = subprocess.run([root / "scripts/dev/run", product, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"bench: {product}: {(done.stderr or done.stdout)[-800:]}")
    return json.loads(done.stdout)


def measure(root, data, documents, python, progress):
    """The part of a result file that comes from these programs."""
    progress("in process: layout, page tree, tiles, cache")
    found = swift(root, "recto-bench", "--json")
    for benchmark in found["benchmarks"]:
        benchmark["samples"] = [round(sample, 2) for sample in benchmark["samples"]]
    dumps = data / "dumps"
    shutil.rmtree(dumps, ignore_errors=True)
    for name, first, last, shown in DUMPS:
        subprocess.run([python, root / "scripts/dev/dump-pages", documents[name].path, str(first),
                        str(last), dumps, "192", shown], check=True)
    found["encoder"] = {}
    for name, options in ENCODER_RUNS:
        progress(f"in process: encoders, {name}")
        found["encoder"][name] = swift(root, "EncoderBenchmarks", str(dumps), "--json", *options)
    shutil.rmtree(dumps)
    return found


def cached_window(recto, documents, work):
    """What a window that is in the cache does with the document: reads of it, programs started."""
    document = documents["large"]
    trace = work / "trace"
    entrant = recto.window(document, document.pages, cached=True)
    command = ["strace", "-f", "-y", "-e", "trace=read,pread64,mmap,execve", "-o", str(trace)]
    run(Entrant("strace", "recto", [command + entrant.commands[0]], "", before=entrant.before,
                environment=entrant.environment, written=entrant.written), work / "run")
    lines = trace.read_text(errors="replace").splitlines()
    path = re.escape(str(document.path.resolve()))
    return {"reads of the document": sum(bool(re.search(rf"(read|pread64|mmap)\(.*<{path}>", line))
                                         for line in lines),
            "programs": sum(" execve(" in line for line in lines)}
