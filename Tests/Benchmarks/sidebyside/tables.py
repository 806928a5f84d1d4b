"""Tables in Markdown, drawn from a result and nothing else."""

import re

from .budgets import page_verdicts, verdicts
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
    "window-small": "Recto starts two processes, one of them in a sandbox with poppler, its libraries and fontconfig, "
                    "and keeps the tiles; mutool is one process with fonts of its own. [PROFILES.md](PROFILES.md) has the "
                    "shares.",
    "window-map": "Thin lines are dense here, so that their widths depend on all of them: recto interprets the page "
                  "twice.",
    "sizes-bookvol": "`mutool pages` prints the boxes as they stand in the file; recto computes the "
                     "place of every page, prints it as JSON and keeps what it has learned. The cached "
                     "row shows what starting, layout and JSON take without reading the document; an "
                     "answer about some of the pages does without most of that.",
    "zoom-map": "Recto records the whole page and plays back the one tile, so that its neighbours "
                "come cheaply; the others draw the one square at once. Drawn so, recto's tile would not fit its "
                "neighbours, see [PROFILES.md](PROFILES.md).",
    "zoom-mercatormap": STARTED, "zoom-scan": STARTED,
    "jpeg-scan-192": "Four pages leave each worker two; starting recto and its workers is a tenth of its time. "
                     "The rest is poppler's: it turns each image into colors of four bytes, 33 MB, before recto "
                     "averages them.",
    "many": "Recto opens each document in a process and a sandbox of its own, so that none can read or end "
            "another; the library opens fifty in one process.",
    "text": "Poppler sorts the characters of a page into words, and then walks through them for the text and "
            "twice for the boxes; mutool prints the text as it comes. [PROFILES.md](PROFILES.md) has the shares.",
    "search": "The text of each page is read as above and kept with its boxes, so that the next search takes "
              "what is cached; the library searches and forgets it.",
}


def seconds(value):
    """A time with three digits that matter."""
    if value < 1:
        text = f"{value * 1000:.3g}" if value * 1000 < 100 else f"{value * 1000:.0f}"
        return f"{text} ms"
    return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"


def size(value):
    if value < 10_000:
        return f"{value:,} B"
    return f"{value / 1000:,.0f} KB" if value < 10_000_000 else f"{value / 1e6:,.1f} MB"


def times(ratio):
    return f"{ratio:.1f} ×" if ratio >= 10 else f"{ratio:.2f} ×"


def nanoseconds(value):
    for limit, unit in ((1e3, "ns"), (1e6, "µs"), (1e9, "ms")):
        if value < limit:
            return f"{value / limit * 1e3:.3g} {unit}"
    return f"{value / 1e9:.3g} s"


def table(head, rows):
    """Cells of one row are joined as they are; all columns but the first are aligned to the right."""
    return ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1),
            *("| " + " | ".join(row) + " |" for row in rows), ""]


def used_memory(entrant):
    """The largest process that was started, and the largest of those it started itself, in bytes."""
    memory = entrant.memory or {}
    return [memory[part] for part in ("parent", "child") if memory.get(part)]


def memory_text(values):
    """As above; empty if it was not measured."""
    return " + ".join(f"{value / 1e6:.0f}" for value in values) + " MB" if values else ""


# What a job shows below its times as multiples of recto's: what it is called, the value, and its text.
PROCESSOR = ("processor time", lambda entrant: entrant.cpu, seconds)
WRITTEN = ("bytes written", lambda entrant: entrant.bytes, size)


def job(entries, figures):
    """The rows of a job as a table: a column for each program that takes part in half of them or more.

    Programs that take part in fewer have a table of their own.
    """
    names = list(dict.fromkeys(name for entry in entries for name in programs(entry)))
    common = [name for name in names if 2 * sum(name in programs(entry) for entry in entries) >= len(entries)]
    lines = programs_table(entries, common, figures)
    others = [name for name in names if name not in common]
    if others:
        some = [entry for entry in entries if set(others) & set(programs(entry))]
        lines += ["Others, which took part in fewer rows:", "", *programs_table(some, others, figures)]
    return lines + losses(entries)


def program(name):
    """An entrant's name without the number of its processes."""
    return re.sub(r", \d+ processes$", "", name)


def programs(entry):
    """All that took part, without those twice that did with several numbers of processes."""
    return list(dict.fromkeys(
        program(name) for name in [*(entrant.name for entrant in entry.entrants), *entry.failed]))


def programs_table(entries, names, figures):
    """Times of each input, by the number of the peers' processes if that is not one; then figures of all inputs."""
    rows = [row for entry in entries for row in times_of(entry, names)]
    for label, value, text in figures:
        rows.append([label, "", *(figure(entries, name, value, text) for name in names)])
    rows.append(["memory at most", "", *(most_memory(entries, name) for name in names)])
    rows = [row for row in rows if any(row[2:])]
    head = ["", "processes", *names]
    if {row[1] for row in rows} <= {"", "1"}:
        head, rows = [head[0], *names], [[row[0], *row[2:]] for row in rows]
    return table(head, rows)


def times_of(entry, names):
    """The lines of one input, the most processes first."""
    entrants = [entrant for entrant in entry.entrants if program(entrant.name) in names]
    failed = {program(name) for name in entry.failed}
    counts = sorted({entrant.processes for entrant in entrants if not entrant.is_recto} or {1}, reverse=True)
    for count in counts:
        cells = []
        for name in names:
            found = [entrant for entrant in entrants if program(entrant.name) == name
                     and (count == counts[0] if entrant.is_recto else entrant.processes == count)]
            cells.append(time_cell(entry, found[0]) if found else
                         "did not finish" if name in failed and count == counts[0] else "")
        yield [entry.title if count == counts[0] else "", str(count), *cells]


def figure(entries, name, value, text):
    """From the least to the most of all inputs: of recto's first entrant itself, of others as its multiple."""
    found = [(entrant, entry.recto) for entry in entries if (entrant := busiest(entry, name))]
    if not found or name.endswith("cached"):
        return ""
    if found[0][0] is found[0][1]:
        return span(map(value, (entrant for entrant, _ in found)), text)
    ratios = [value(entrant) / value(recto) for entrant, recto in found]
    return marked(span(ratios, times), min(ratios) < 0.995 and is_ranked(found[0][0]))


def most_memory(entries, name):
    found = [(sum(memory), memory, entrant, entry) for entry in entries
             if (entrant := busiest(entry, name)) and (memory := used_memory(entrant))]
    if not found:
        return ""
    most, memory, entrant, entry = max(found, key=lambda part: part[0])
    return marked(memory_text(memory), is_ranked(entrant) and most < sum(used_memory(entry.recto)))


def busiest(entry, name):
    """A program's entrant with the most processes."""
    return max((entrant for entrant in entry.entrants if program(entrant.name) == name),
               key=lambda entrant: entrant.processes, default=None)


def span(values, text):
    values = list(values)
    low, high = text(min(values)), text(max(values))
    return low if low == high else f"{low.removesuffix(' ×')} to {high}"


def time_cell(entry, entrant):
    if entrant.is_recto:
        return seconds(entrant.wall)
    return marked(f"{seconds(entrant.wall)} ({times(entrant.ratio)})",
                  is_ranked(entrant) and entrant.wall < entry.recto.wall)


def is_ranked(entrant):
    return entrant.is_complete and not entrant.is_recto


def marked(text, is_less):
    return f"**{text}**" if is_less else text


def losses(entries):
    """Where a peer is faster than recto, or would be if Python were running already."""
    if len(entries) == 1:
        found = loss(entries[0])
        return [found, ""] if found else []
    documents = [document_of(entry) for entry in entries]
    lines = []
    for entry, name in zip(entries, documents):
        found = loss(entry, f" for {name if name and documents.count(name) == 1 else entry.title}")
        lines += [f"- {found}"] if found else []
    return [*lines, ""] if lines else []


def document_of(entry):
    """The document that a row's title names."""
    found = re.search(r"\S+\.pdf", entry.title)
    return found and found.group()


def loss(entry, what=""):
    """What is said of one input; empty where recto is the fastest."""
    ours = entry.recto
    peers = [peer for peer in entry.peers if peer.is_complete]
    best = min(peers, key=lambda peer: peer.wall, default=ours)
    inner = min(peers, key=lambda peer: peer.inner, default=ours)
    said = []
    if best.wall < ours.wall:
        said.append(f"Faster{what}: {named(best)}, {best.wall / ours.wall:.2f} × recto's time.")
    if inner is not best and inner.inner < ours.wall:
        said.append(f"Faster{'' if said else what} without starting Python: {named(inner)}, "
                    f"{seconds(inner.inner)}, {inner.inner / ours.wall:.2f} × recto's time.")
    return " ".join([*said, NOTES.get(entry.id, "Not looked into yet.")]) if said else ""


def named(entrant):
    """An entrant's name in a sentence."""
    return re.sub(r", (\d+ processes)$", r" in \1", entrant.name)


def budgets(result):
    """Whether each budget is met: those of pages at 192 dpi by document, after all others."""
    single, by_page = verdicts(result), page_verdicts(result)
    every = [*single, *(verdict for found in by_page.values() for verdict in found)]
    met = sum(verdict.met is True for verdict in every)
    pace = seconds(result.rows["window-alone"]["pdftocairo"].wall)
    lines = [f"Met: {met} of {len(every)}. Those in seconds were set on a machine on which `pdftocairo` draws "
             f"last-page.pdf in 111 ms; here it takes {pace}.", "", "| work | budget | today | |", "|---|---|---|---|"]
    lines += [f"| {verdict.what} | {verdict.limit} | {verdict.measured} | {verdict.word} |" for verdict in single]
    documents = list(dict.fromkeys(verdict.what for found in by_page.values() for verdict in found))
    if not documents:
        return [*lines, ""]
    lines += ["", "Pages at 192 dpi, by document:", "",
              "| budget | " + " | ".join(documents) + " |", "|---|" + "---|" * len(documents)]
    for budget, found in by_page.items():
        cells = {verdict.what: verdict.measured if verdict.met else
                 f"**{verdict.measured} of {verdict.limit[2:]}: not met**" if verdict.met is False else verdict.word
                 for verdict in found}
        lines.append(f"| {budget} | " + " | ".join(cells.get(name, "") for name in documents) + " |")
    return [*lines, ""]


# What docs/LAYOUT.md and docs/PNG.md show.
ELSEWHERE = re.compile(
    r"in all modes: |a transition: |a (layout|book|flow) of |the visible pages |the frames of |one size is |"
    r"100,000 sizes |a tile of .* (becomes PNG|is checked|is decoded)")


def operations(inside):
    """The operations that no other document shows."""
    return table(["one operation", "median"],
                 [[title, median] for title, median in medians(inside).items() if not ELSEWHERE.match(title)])


def medians(inside):
    """What each operation takes, by title."""
    return {entry["title"]: nanoseconds(summary(entry["samples"])[0]) for entry in inside["benchmarks"]}


# How benchmarks call the layout modes.
MODES = {"continuous": "a column", "book": "a book", "paged": "pages", "grid": "a grid",
         "carousel": "a carousel", "flow": "a flow"}
# What a row of the table is called, and titles of benchmarks: by mode, or with `{}` for each of them.
IN_MODES = {
    "make a layout": "in all modes: {} is made",
    "find the spreads of a window": "in all modes: the visible range of {} is found",
    "find the spreads of a window, 100,000 measured": {
        "continuous": "the visible pages among 1,000,000 are found, 100,000 measured",
        "book": "the visible pages of a book are found, 100,000 measured",
        "grid": "the visible pages of a grid are found, 100,000 measured",
        "flow": "the visible pages of a flow are found, 100,000 measured"},
    "place the frames of a window, 100,000 measured": {
        "continuous": "the frames of one window are placed, 100,000 measured",
        "flow": "the frames of one window of a flow are placed, 100,000 measured"},
    "measure a page, with its invalidation": "in all modes: one size is taken in by {}, scattered",
    "measure a page, 100,000 measured": {
        "continuous": "one size is taken in, scattered, 100,000 measured",
        "book": "one size is taken in by a book, scattered, 100,000 measured",
        "flow": "one size is taken in by a flow, scattered, 100,000 measured"},
    "measure a page, each after the one before": {
        "continuous": "one size is taken in, in order, nothing measured",
        "flow": "one size is taken in by a flow, in order, nothing measured"},
    "measure a page, the most common size as estimate": {
        "continuous": "one size is taken in, the most common one as estimate"},
    "measure a page and keep an anchor, 100,000 measured": {
        "continuous": "one size is taken in and an anchor kept, 100,000 measured"},
    "measure a page of one of 100 parts of 10,000 pages": {
        "continuous": "one size is taken in by a part of such a column"},
    "place the frames of a window in such parts": {
        "continuous": "the frames of one window of a column of 100 parts of 10,000 pages"},
    "measure 100,000 pages at once": {
        "continuous": "100,000 sizes are taken in at once, scattered",
        "book": "100,000 sizes are taken in at once by a book",
        "flow": "100,000 sizes are taken in at once by a flow"},
    "move pages": "in all modes: pages of {} are moved",
    "move pages, 1,000 measured": "in all modes: pages of {} are moved, 1,000 measured",
    "say what that has moved": "in all modes: what that has moved in {} is told",
    "say what that has moved, 1,000 measured": "in all modes: what that has moved in {} is told, 1,000 measured",
}


def modes(inside):
    """What operations take in each layout mode, and transitions between modes."""
    found = medians(inside)

    def title(row, mode):
        return row.format(MODES[mode]) if isinstance(row, str) else row.get(mode)

    lines = table(["", *MODES], [[label, *(found.get(title(row, mode), "–") for mode in MODES)]
                                 for label, row in IN_MODES.items()])
    start = "a transition: "
    return lines + table(["a transition of a window of 1280 × 800", ""], [
        [name.removeprefix(start), median] for name, median in found.items() if name.startswith(start)])


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
