"""Rows, table and charts: how times grow with pages, with resolution, and with workers."""

import os
from dataclasses import dataclass

from .line_charts import lines
from .tables import seconds, table, time_cell
from .workloads import DPI, Row

SCALES = (48, 96, 192, 384)
WORKERS = (1, 2, 4, 8)


def growth(documents, recto, peers):
    yield from with_pages(documents, recto, peers)
    yield from with_scale(documents, recto, peers)
    yield from with_workers(documents, recto, peers)
    yield from with_cores(documents, recto, peers)


def with_pages(documents, recto, peers):
    for name in ("last", "last-10", "last-100", "last-1000", "large"):
        document = documents[name]
        pages = document.pages
        yield Row(f"growth-pages-{pages}", "growth", f"the last page of {pages:,}, {document.shown}",
                  [recto.window(document, pages), peers.mutool(document, pages, pages, DPI)])


def with_scale(documents, recto, peers):
    document = documents["fullrefman"]
    for dpi in SCALES:
        task = (document, 1001, 1010, dpi)
        yield Row(f"growth-scale-{dpi}", "growth",
                  f"pages 1,001 to 1,010 of {document.shown} at {dpi} dpi",
                  [recto.export(*task), peers.mutool(*task, peers.processes)])


def with_workers(documents, recto, peers):
    document = documents["fullrefman"]
    task = (document, 1001, 1200, 96)
    for count in WORKERS:
        workers = "one worker" if count == 1 else f"{count} workers"
        yield Row(f"growth-workers-{count}", "growth",
                  f"pages 1,001 to 1,200 of {document.shown} at 96 dpi with {workers}",
                  [recto.export(*task, jobs=count), peers.mutool(*task, count)], warm=False)


def with_cores(documents, recto, peers):
    """As many workers as cores, and no other cores to be on."""
    document = documents["fullrefman"]
    task = (document, 1001, 1200, 96)
    there = sorted(os.sched_getaffinity(0))
    for count in [count for count in WORKERS if count <= len(there)]:
        cores = ",".join(map(str, there[:count]))
        yield Row(f"growth-cores-{count}", "growth",
                  f"pages 1,001 to 1,200 of {document.shown} at 96 dpi on "
                  f"{'one core' if count == 1 else f'{count} cores'}",
                  [pinned(entrant, cores) for entrant in
                   (recto.export(*task, jobs=count), peers.mutool(*task, count))], warm=False)


def pinned(entrant, cores):
    """The same work on some cores only."""
    start = ["taskset", "-c", cores]
    entrant.commands = [start + argv for argv in entrant.commands]
    entrant.shown = entrant.shown.replace("at once: ", f"at once: {' '.join(start)} ") \
        if "at once: " in entrant.shown else " ".join([*start, entrant.shown])
    return entrant


@dataclass
class Kind:
    """One way of growing: the first part of its rows' names, what a row is about, and its chart."""

    id: str
    # What a row of the table is called; `{}` is the number that grows.
    label: str
    title: str = ""
    note: str = ""
    # What grows.
    axis: str = ""

    @property
    def file(self):
        return f"growth-{self.id}.svg"

    def rows(self, result):
        """Rows by what grows, the smallest first."""
        start = f"growth-{self.id}-"
        found = [(int(id[len(start):]), row) for id, row in result.rows.items() if id.startswith(start)]
        return sorted(((value, row) for value, row in found if len(row.entrants) == 2),
                      key=lambda pair: pair[0])


KINDS = [
    Kind("pages", "the last page of a document at 144 dpi, pages: {:,}", "The last page of ever longer documents",
         "One page at 144 dpi, whole processes; recto cold. Both axes are logarithmic.", "pages"),
    Kind("scale", "10 pages of fullrefman.pdf at {} dpi"),
    Kind("workers", "200 pages of fullrefman.pdf at 96 dpi, workers: {}", "Two hundred pages with ever more workers",
         "Pages of the R reference manual as PNG files at 96 dpi. Both axes are logarithmic.", "workers"),
    Kind("cores", "the same, cores and workers: {}"),
]
PEER = "mutool draw"


def charts(result):
    """File name and SVG of each chart whose rows are there."""
    for kind in KINDS:
        rows = kind.rows(result)
        if kind.title and len(rows) > 1:
            series = [(name, [(value, pick(row)) for value, row in rows])
                      for name, pick in (("recto", lambda row: row.recto), (PEER, lambda row: row.peers[0]))]
            yield kind.file, lines(kind.title, kind.note, kind.axis, series)


def section(result):
    """The table and the charts of the document."""
    rows = [[kind.label.format(value), seconds(row.recto.wall), time_cell(row, row.peers[0])]
            for kind in KINDS for value, row in kind.rows(result)]
    if not rows:
        return []
    drawn = {name for name, _ in charts(result)}
    pictures = [part for kind in KINDS if kind.file in drawn for part in (f"![{kind.title}](charts/{kind.file})", "")]
    words = ("With the pages of the document (the last ones of large.pdf), resolution, workers and cores. "
             f"`{PEER}` has as many processes as recto has workers.")
    return ["## Growth", "", words, "", *table(["", "recto", PEER], rows), *pictures]
