"""Tables in Markdown, drawn from a result and nothing else."""

from .budgets import verdicts
from .result import summary

# Why a peer is faster in a row, and what would close the gap: written by hand, shown only when a
# peer does win. A row without a note says so.
TEXT_PAGE = (
    "MuPDF reads and draws a page of text with less work than poppler and cairo need, and is one "
    "process where recto starts two. A worker that is already running saves the start; the rest is "
    "interpretation.")
STARTED = "Recto's time includes starting two processes, which the library's does not."
NOTES = {
    "start": "The empty program is no peer but the least that can be reached.",
    "window-first": TEXT_PAGE, "window-alone": TEXT_PAGE, "window-book": TEXT_PAGE,
    "sizes-bookvol": "`mutool pages` prints the boxes as they stand in the file; recto computes the "
                     "place of every page, prints it as JSON and keeps what it has learned. The cached "
                     "row shows what starting, layout and JSON take without reading the document; an "
                     "answer about some of the pages does without most of that.",
    "zoom-map": "Recto records the whole page and plays back the one tile, so that its neighbours "
                "come cheaply; the others draw the one square at once. A tile wanted alone could be "
                "drawn so too.",
    "zoom-mercatormap": STARTED, "zoom-scan": STARTED,
    "jpeg-scan-192": "Four pages leave each worker two; starting recto and its workers is a tenth of its time. "
                     "The rest is poppler's: it turns each image into colors of four bytes, 33 MB, before recto "
                     "averages them.",
    "many": "Recto opens each document in a process and a sandbox of its own, so that none can read or end "
            "another; the library opens fifty in one process.",
    "text": "Poppler sorts the characters of a page into words, and then walks through them for the text and "
            "twice for the boxes; mutool prints the text as it comes. docs/PROFILES.md has the shares.",
    "search": "The text of each page is read as above and kept with its boxes, so that the next search takes "
              "what the cached row shows; the library searches and forgets it.",
}


def seconds(value):
    """A time with three digits that matter."""
    if value < 1:
        text = f"{value * 1000:.3g}" if value * 1000 < 100 else f"{value * 1000:.0f}"
        return f"{text} ms"
    return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"


def spread(contestant):
    return f"{seconds(contestant.low)} – {seconds(contestant.high)}"


def size(value):
    if value < 10_000:
        return f"{value:,} B"
    return f"{value / 1000:,.0f} KB" if value < 10_000_000 else f"{value / 1e6:,.1f} MB"


def where(entry):
    """A row's name, and where its outputs were."""
    return f"`{entry.id}`, outputs on {entry.filesystem}" if entry.filesystem else f"`{entry.id}`"


def row(entry):
    """One row of the comparison as a table of its entrants, the fastest one marked."""
    first = min((contestant for contestant in entry.entrants if contestant.is_complete),
                key=lambda contestant: contestant.wall)
    lines = [f"**{entry.title[0].upper() + entry.title[1:]}** ({where(entry)})", "",
             "| | processes | median | quartiles | times recto's | processor | written |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    for contestant in entry.entrants:
        mark = "**" if contestant is first else ""
        median = f"{mark}{seconds(contestant.wall)}{mark}"
        if contestant.inner != contestant.wall:
            median += f" ({seconds(contestant.inner)})"
        lines.append(
            f"| {contestant.name} | {contestant.processes} | {median} | {spread(contestant)} "
            f"| {contestant.ratio:.2f} | {seconds(contestant.cpu)} "
            f"| {size(contestant.bytes) if contestant.bytes else '–'} |")
    lines += [f"| {name} | | did not finish | | | | |" for name in entry.failed]
    return lines + ["", *losses(entry)]


def losses(entry):
    """Says so where a peer is faster than recto, or would be if Python were running already."""
    ours = entry.recto
    peers = [peer for peer in entry.peers if peer.is_complete]
    best = min(peers, key=lambda peer: peer.wall, default=ours)
    inner = min(peers, key=lambda peer: peer.inner, default=ours)
    said = []
    if best.wall < ours.wall:
        said.append(f"{best.name} wins here: {best.wall / ours.wall:.2f} × recto's time.")
    if inner is not best and inner.inner < ours.wall:
        said.append(f"The work of {inner.name} alone, without starting Python, takes "
                    f"{inner.inner / ours.wall:.2f} × recto's time.")
    if not said:
        return []
    return [" ".join([*said, NOTES.get(entry.id, "Not looked into yet.")]), ""]


def budget_table(result):
    lines = ["| work | budget | measured | |", "|---|---|---|---|"]
    for verdict in verdicts(result):
        lines.append(f"| {verdict.what} | {verdict.limit} | {verdict.measured} | {verdict.word} |")
    return lines + [""]


def memory_table(result):
    """Peak memory of the largest process of each kind."""
    lines = ["| work | | process started | its own processes |", "|---|---|---:|---:|"]
    for entry in result.rows.values():
        for contestant in entry.entrants:
            if not contestant.memory or contestant.name.endswith("cached"):
                continue
            parent, child = contestant.memory["parent"], contestant.memory["child"]
            lines.append(f"| `{entry.id}` | {contestant.name} | {parent / 1e6:.0f} MB | "
                         f"{f'{child / 1e6:.0f} MB' if child else '–'} |")
    return lines + [""]


def benchmark_table(inside):
    def time(nanoseconds):
        for limit, unit in ((1e3, "ns"), (1e6, "µs"), (1e9, "ms")):
            if nanoseconds < limit:
                return f"{nanoseconds / limit * 1e3:.3g} {unit}"
        return f"{nanoseconds / 1e9:.3g} s"

    lines = ["| for one operation | median | quartiles | budget |", "|---|---:|---:|---:|"]
    for entry in inside["benchmarks"]:
        median, low, high = summary(entry["samples"])
        budget = time(entry["budget"]) if "budget" in entry else "–"
        missed = " (missed)" if "budget" in entry and median > entry["budget"] else ""
        lines.append(f"| {entry['title']} | {time(median)} | {time(low)} – {time(high)} "
                     f"| {budget}{missed} |")
    lines += ["", "| on the heap | bytes |", "|---|---:|"]
    lines += [f"| {entry['what']} | {max(entry['bytes'], 0):,} |" for entry in inside["heap"]]
    return lines + [""]


def encoder_table(report, ratio_words):
    """Time and bytes a page of each method, with ratios to the first one."""
    names = [name.replace("_", " ") for name in report["documents"]]
    lines = ["| ms and KB a page | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    first = report["methods"][0]["pages"]
    for method in report["methods"]:
        cells = [f"{page['milliseconds']:.1f} ms ({base['milliseconds'] / page['milliseconds']:.1f}×) "
                 f"{page['bytes'] / 1000:.0f} KB ({page['bytes'] / base['bytes']:.2f})"
                 for page, base in zip(method["pages"], first)]
        lines.append(f"| {method['name']} | " + " | ".join(cells) + " |")
    cells = [f"{part['check']:.1f} and {part['decode']:.0f} µs" for part in report["reading"]]
    if ratio_words:
        lines.append("| check and decode a tile | " + " | ".join(cells) + " |")
    return lines + [""]
