"""Times pages as numpy arrays: recto, pdf2image and pypdfium2, each with two processes.

Each time is that of a process of its own, from opening the document to the last array, without imports. The runs of the three
take turns. pypdfium2 is a pool of processes that sends the arrays back; "kept" are those that stay in the processes.
"""

import argparse
import json
import multiprocessing
import pathlib
import resource
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROCESSES = 2


def recto(path, pages, dpi):
    import recto

    def draw():
        with recto.Engine(jobs=PROCESSES, cache=False) as engine, recto.open(path, engine=engine) as doc:
            return list(doc.arrays(range(pages), dpi=dpi))

    return draw


def pdf2image(path, pages, dpi):
    import numpy
    from pdf2image import convert_from_path

    def draw():
        images = convert_from_path(path, dpi=dpi, last_page=pages, thread_count=PROCESSES)
        return [numpy.asarray(image) for image in images]

    return draw


def open_document(path):
    global document
    import pypdfium2

    document = pypdfium2.PdfDocument(path)


def drawn(page, dpi):
    return document[page].render(scale=dpi / 72).to_numpy()


def kept(page, dpi):
    return drawn(page, dpi).shape


def pypdfium2(path, pages, dpi, work=drawn):
    import pypdfium2  # noqa: F401

    def draw():
        with multiprocessing.Pool(PROCESSES, open_document, (path,)) as pool:
            return pool.starmap(work, [(page, dpi) for page in range(pages)], chunksize=1)

    return draw


def pypdfium2_kept(path, pages, dpi):
    return pypdfium2(path, pages, dpi, kept)


PEERS = {"recto": recto, "pdf2image": pdf2image, "pypdfium2": pypdfium2, "pypdfium2, kept": pypdfium2_kept}


def measure(name, path, pages, dpi):
    """The seconds of one run, and those of processors."""
    import numpy  # noqa: F401

    draw = PEERS[name](path, pages, dpi)
    begun, processors = time.perf_counter(), processor_time()
    arrays = draw()
    seconds, processors = time.perf_counter() - begun, processor_time() - processors
    assert len(arrays) == pages, f"{name}: {len(arrays)} pages"
    return {"seconds": seconds, "processors": processors}


def processor_time():
    """The processor time of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def median(runs, name):
    return statistics.median(run[name] for run in runs)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--pages", type=int, default=40)
    options.add_argument("--dpi", type=float, default=192)
    options.add_argument("--one", choices=PEERS)
    options.add_argument("files", nargs="*", default=[str(ROOT / "Fixtures/book.pdf")])
    given = options.parse_args()
    if given.one:
        return print(json.dumps(measure(given.one, given.files[0], given.pages, given.dpi)))
    for path in given.files:
        import recto as package

        with package.open(path) as document:
            pages = min(given.pages, len(document))
        runs = {name: [] for name in PEERS}
        for _ in range(given.runs):
            for name, times in runs.items():
                command = [sys.executable, __file__, "--one", name, "--pages", str(pages), "--dpi", str(given.dpi), path]
                times.append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
        print(f"{pathlib.Path(path).name}: {pages} pages at {given.dpi:g} dpi, medians of {given.runs} runs")
        for name in runs:
            seconds, processors = median(runs[name], "seconds"), median(runs[name], "processors")
            ratio = seconds / median(runs["recto"], "seconds")
            print(f"  {name:16} {seconds:6.2f} s  {ratio:5.2f} × recto  {processors:6.2f} s of processors")


if __name__ == "__main__":
    main()
