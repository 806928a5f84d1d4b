"""The budgets of the design, and what a result says about each."""

import json
from dataclasses import dataclass
from pathlib import Path

from .result import Absent, summary

# What scripts/dev/scroll-simulation measures, see docs/PROFILES.md.
SCROLL = Path(__file__).resolve().parents[1] / "scroll.json"

# How many times faster than as many processes of `mutool draw` pages at 192 dpi are to be.
PAGES = {"fullrefman": 5, "pgfmanual": 5, "mercatormap": 4, "scan": 3}

# Other rows against the peer that is the quickest in them: what is done, the row, recto's entrant, the peer, whether in
# as many processes, and how many times faster recto is to be.
ROWS = [
    ("thumbnails of 2,000 documents", "many", "recto thumbs", "pypdfium2 + Pillow", True, 1),
    ("the same", "many", "recto thumbs", "mutool draw", True, 1.5),
    ("the same with `--isolation worker`", "many", "recto thumbs --isolation worker", "pypdfium2 + Pillow", True, 1.3),
    ("the same", "many", "recto thumbs --isolation worker", "mutool draw", True, 2),
    ("the only page of small.pdf, cold", "window-small", "recto, cold", "mutool draw", False, 0.8),
    ("text of 200 pages, cold", "text", "recto text, cold", "mutool draw", True, 1.2),
    ("search of 2,415 pages, cold", "search", "recto search, cold", "pypdfium2", True, 1.2),
    ("JPEG of scans", "jpeg-scan-192", "recto pages", "pdftoppm", True, 1.3),
]


@dataclass
class Verdict:
    """One budget: what it is about, the limit, what was measured, and whether it is met.

    `met` is None when the result lacks what is needed.
    """

    what: str
    limit: str
    measured: str
    met: bool | None

    @property
    def word(self):
        return {True: "met", False: "**not met**", None: "not measured"}[self.met]


def verdict(result, what, limit, needs, measure):
    """`measure` gives (text, met); it is asked only when the rows in `needs` are there, and may find
    that entrants are not."""
    there = all(name in result.rows for name in needs)
    try:
        answer = measure() if there else ("–", None)
    except Absent:
        answer = ("–", None)
    return Verdict(what, limit, *answer)


def verdicts(result):
    """Every budget but those of pages, in the design's order."""
    found = []

    def judge(what, limit, needs, measure):
        found.append(verdict(result, what, limit, needs, measure))

    starts(result, judge)
    windows(result, judge)
    reading(judge)
    sizes(result, judge)
    layout(result, judge)
    thumbnails(result, judge)
    other_rows(result, judge)
    memory(result, judge)
    return found


def faster(row, ours, peer, limit, digits=1):
    """How many times faster than a peer one of recto's entrants is."""
    ratio = row[peer].wall / row[ours].wall
    return f"{ratio:.{digits}f} ×", ratio >= limit


def in_processes(result, peer):
    """A peer in as many processes as recto has workers."""
    return f"{peer}, {result.data.get('processes', 2)} processes"


def starts(result, judge):
    row = result.rows.get("start")

    def against(name, other, limit):
        ratio = row[name].wall / row[other].wall
        return f"{ratio:.2f} ×", ratio <= limit

    def window():
        wall = row["recto, cached window"].wall
        return f"{wall * 1000:.1f} ms", wall <= 0.007

    judge("`recto --version`", "≤ 1.2 × an empty Swift program", ["start"],
          lambda: against("recto --version", "empty program", 1.2))
    judge("a window already cached, the whole process", "≤ 7 ms", ["start"], window)


def reading(judge):
    """How soon all tiles are there while a client of `recto serve` moves through large.pdf."""
    measured = json.loads(SCROLL.read_text()) if SCROLL.exists() else {"movements": []}
    rests = {entry["movement"]: sorted(entry["rests"]) for entry in measured["movements"]}

    def late(movement, limit):
        found = rests[movement]
        # As scripts/dev/scroll-simulation and docs/PROFILES.md have it.
        value = found[min(len(found) - 1, int(0.95 * len(found)))]
        return f"{value * 1000:.0f} ms ({measured['date']}, {measured['commit']})", value <= limit

    for movement, words, limit in (("jump", "a jump in `recto serve`, complete", 0.060),
                                   ("zoom_back", "a zoom in `recto serve`, in and back, complete", 0.033),
                                   ("zoom", "the same, in to a scale that is new", 0.033)):
        judge(words, f"≤ {limit * 1000:.0f} ms in 95 %", [] if rests.get(movement) else ["missing"],
              lambda movement=movement, limit=limit: late(movement, limit))


def windows(result, judge):
    rows = result.rows

    def against_cairo():
        row = rows["window-last"]
        ratio = row["recto, cold"].wall / row["pdftocairo"].wall
        return f"{ratio:.3f} ×", ratio <= 0.12

    def against_alone():
        ratio = rows["window-last"]["recto, cold"].wall / rows["window-alone"]["recto, cold"].wall
        return f"{ratio:.2f} ×", ratio <= 1.15

    def against_mutool():
        ratio = rows["window-last"]["recto, cold"].wall / rows["window-alone"]["mutool draw"].wall
        return f"{ratio:.2f} ×", ratio <= 0.6

    def cached():
        walls = [row["recto, cached"].wall for row in result.group("window")]
        return f"{max(walls) * 1000:.1f} ms at most", max(walls) <= 0.020

    def unopened():
        seen = result.data["cached window"]
        reads, programs = seen["reads of the document"], seen["programs"]
        return (f"{reads} reads of the document, {programs - 1} further processes",
                reads == 0 and programs == 1)

    judge("one window at the last page of large.pdf, nothing cached",
          "≤ 0.12 × `pdftocairo`", ["window-last"], against_cairo)
    judge("the same", "≤ 1.15 × that page as a file of its own",
          ["window-last", "window-alone"], against_alone)
    judge("the same", "≤ 0.6 × `mutool draw` of that page as a file of its own",
          ["window-last", "window-alone"], against_mutool)
    judge("a window already cached, the whole process", "≤ 20 ms", ["window-last"], cached)
    judge("the same", "no PDF is opened", ["window-last"] if "cached window" in result.data
          else ["missing"], unopened)


def sizes(result, judge):
    row = result.rows.get("sizes-large")

    def against(seconds, limit):
        ratio = row["recto layout, cold"].wall / seconds
        return f"{ratio:.3f} ×", ratio <= limit

    judge("sizes of all pages of large.pdf, cold, with recto's start and its JSON",
          "≤ 0.08 × poppler's walk (`pdfinfo`)", ["sizes-large"],
          lambda: against(row["pdfinfo"].wall, 0.08))
    judge("the same", "≤ 0.5 × PDFium (a script with pypdfium2)", ["sizes-large"],
          lambda: against(row["pypdfium2"].wall, 0.5))
    judge("the same, against the script's walk alone, without Python's start", "≤ 0.4 × PDFium",
          ["sizes-large"], lambda: against(row["pypdfium2"].inner, 0.4))

    def against_boxes():
        book = result.rows["sizes-bookvol"]
        ratio = book["recto layout, cold"].wall / book["mutool pages"].wall
        return f"{ratio:.2f} ×", ratio <= 0.8

    judge("sizes of all pages of bookvol10.5.pdf, cold", "≤ 0.8 × `mutool pages`", ["sizes-bookvol"],
          against_boxes)


def layout(result, judge):
    inside = result.data.get("in process")
    needs = [] if inside else ["missing"]

    def slowest(*words, besides=None):
        medians = [summary(entry["samples"])[0] for entry in inside["benchmarks"]
                   if any(entry["title"].startswith(word) for word in words)
                   and not (besides and besides in entry["title"])]
        return max(medians)

    def judged(value, limit):
        text = f"{value / 1000:.2f} µs" if value < 1e6 else f"{value / 1e6:.2f} ms"
        return f"{text} at most", value <= limit

    def heap():
        empty, measured = (entry["bytes"] for entry in inside["heap"][:2])
        if measured <= empty:  # nothing was counted
            return "–", None
        return (f"{max(empty, 0):,} bytes; {(measured - empty) / 1e5:.0f} for each measured page",
                empty < 4096)

    judge("layout of 1,000,000 pages: build", "≤ 1 ms", needs,
          lambda: judged(slowest("a layout of", "a book of"), 1e6))
    judge("visible range", "≤ 5 µs", needs, lambda: judged(slowest("the visible pages"), 5e3))
    judge("take in a measured size", "≤ 2 µs", needs,
          lambda: judged(slowest("one size is taken in,", "one size is taken in by", besides="by a flow"), 2e3))
    judge("the same, by a flow, which breaks its rows anew", "≤ 10 µs", needs,
          lambda: judged(slowest("one size is taken in by a flow"), 1e4))
    judge("take in 100,000 sizes at once", "≤ 30 ms", needs,
          lambda: judged(slowest("100,000 sizes are taken in at once"), 3e7))
    judge("move pages", "≤ 50 µs", needs,
          lambda: judged(slowest("in all modes: pages of", besides=", 1,000 measured"), 5e4))
    judge("a transition of a window of 1280 × 800", "≤ 50 µs", needs,
          lambda: judged(slowest("a transition: "), 5e4))
    judge("memory with nothing measured", "grows with measured pages only", needs, heap)


def page_verdicts(result):
    """The budgets of pages at 192 dpi: what is asked, and the verdict for each document."""
    rows = [row for row in result.group("pages") if row.id.endswith("-192")]
    encoder = (result.data.get("in process") or {}).get("encoder")
    many = result.data.get("processes", 2)

    def encoders(name, what):
        """A sum over a document's tiles as recto's encoder does them, divided by cairo's."""
        methods = encoder["methods"]
        cairo, ours = (
            [page for document, page in zip(methods["documents"], method["pages"]) if name in document]
            for method in methods["methods"][:2])
        return sum(page[what] for page in ours) / sum(page[what] for page in cairo)

    def smaller(name):
        ratio = encoders(name, "bytes")
        return f"{ratio:.2f} ×", ratio <= 1.05

    def quicker(name):
        ratio = 1 / encoders(name, "milliseconds")
        return f"{ratio:.1f} ×", ratio >= 5

    found = {}
    for row in rows:
        name = row.id.split("-")[1]
        least = PAGES.get(name, 2)

        def judge(what, limit, needs, measure):
            found.setdefault(what, []).append(verdict(result, f"{name}.pdf", limit, needs, measure))

        for ours, work in (("recto", "tiles"), ("recto pages", "files")):
            for peer, limit in (("pdftocairo", 20), ("mutool draw", 4)):
                judge(f"{work}, ≥ {limit} × faster than `{peer}`", f"≥ {limit} ×", [row.id],
                      lambda: faster(row, ours, peer, limit))
            judge(f"{work}, faster than `mutool draw` in {many} processes: ≥ {least_of(rows)}", f"≥ {least} ×",
                  [row.id], lambda: faster(row, ours, in_processes(result, "mutool draw"), least))
        encoded = [row.id] if encoder else ["missing"]
        judge("tiles, bytes ≤ 1.05 × those of cairo's writer", "≤ 1.05 ×", encoded, lambda: smaller(name))
        judge("tiles, encoded ≥ 5 × faster than by cairo's writer", "≥ 5 ×", encoded, lambda: quicker(name))
    return found


def least_of(rows):
    """What is asked of each document against several processes of `mutool draw`."""
    limits = [PAGES.get(row.id.split("-")[1], 2) for row in rows]
    return f"{', '.join(map(str, limits))} ×"


def thumbnails(result, judge):
    row = result.rows.get("thumbs")

    def processor():
        pages = row.recto.files
        ours, theirs = (entrant.cpu / pages * 1000 for entrant in (row.recto, row["mutool draw"]))
        return f"{ours:.2f} ms; `mutool` {theirs:.2f} ms", ours <= theirs

    judge("2,415 thumbnails of 256 pixels", "≥ 5 × faster than `pdftocairo`", ["thumbs"],
          lambda: faster(row, "recto", "pdftocairo", 5))
    judge("the same", "≥ 2 × faster than `mutool draw`", ["thumbs"],
          lambda: faster(row, "recto", "mutool draw", 2))
    for peer in ("mutool draw", "pypdfium2 + Pillow"):
        judge("the same", f"≥ 2 × faster than `{peer}` in {result.data.get('processes', 2)} processes",
              ["thumbs"], lambda peer=peer: faster(row, "recto", in_processes(result, peer), 2))
    judge("the same, processor time a page", "≤ `mutool`'s", ["thumbs"], processor)


def other_rows(result, judge):
    for what, id, ours, peer, is_many, limit in ROWS:
        name = in_processes(result, peer) if is_many else peer
        shown = f"`{peer}`" + (f" in {result.data.get('processes', 2)} processes" if is_many else "")
        judge(what, f"≥ {limit} × as fast as {shown}", [id],
              lambda id=id, ours=ours, name=name, limit=limit:
              faster(result.rows[id], ours, name, limit, digits=2))

    def at_work(row):
        """Against the quickest library without starting Python."""
        ratio = min(peer.inner for peer in row.peers) / row.recto.wall
        return f"{ratio:.2f} ×", ratio >= 1

    for row in result.group("zoom"):
        judge(f"{row.title}, cold", "≥ 1 × as fast as libraries that have been started", [row.id],
              lambda row=row: at_work(row))

    def two_workers():
        one, two = (result.rows[f"growth-workers-{count}"].recto.wall for count in (1, 2))
        return f"{one / two:.2f} ×", one / two >= 1.9

    judge("200 pages with two workers", "≥ 1.9 × as fast as with one", ["growth-workers-1", "growth-workers-2"],
          two_workers)


def memory(result, judge):
    peaks = [(entrant.memory, row.title) for row in result.rows.values() for entrant in row.entrants
             if entrant.is_recto and entrant.memory]

    def most(part, limit):
        value, row = max((peak[part], row) for peak, row in peaks)
        return f"{value / 1e6:.0f} MB ({row})", value <= limit * 1e6

    needs = [] if peaks else ["missing"]
    judge("memory of the command, every row", "≤ 100 MB", needs, lambda: most("parent", 100))
    judge("memory of a worker, every row", "≤ 300 MB", needs, lambda: most("child", 300))
