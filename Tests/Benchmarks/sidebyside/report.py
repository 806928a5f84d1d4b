"""What documents show of a result: docs/BENCHMARKS.md, charts, and the marked parts of others."""

import re
import sys
import textwrap
from pathlib import Path

from . import agreement, growth
from .charts import charts
from .result import Result
from .tables import (benchmark_table, budget_table, encoder_table, memory_table, row, seconds)

GROUPS = [
    ("start", "Starting",
     "What a process costs before it does anything. The empty program is one of Swift with an empty `main`, "
     "linked statically as recto is."),
    ("window", "One window",
     "A page at 144 dpi as PNG, in a viewport of its own size. Recto writes tiles of 512 pixels, the "
     "others one picture."),
    ("sizes", "All page sizes",
     "Recto prints the layout of the whole document as JSON; the others print or collect sizes."),
    ("layout", "Layout of one window", "No peer answers this question."),
    ("pages", "A range of pages",
     "Every page as PNG, at 96 and 192 dpi. `recto` is `recto render`, which writes tiles; `recto pages` writes "
     "one file a page, as the others do."),
    ("jpeg", "A range of pages as JPEG",
     "Quality 75 where it is set, the default of poppler's tools and of Pillow. This version of `mutool draw` "
     "writes no JPEG."),
    ("thumbs", "Thumbnails",
     "`vipsthumbnail` takes one page at a time and would read the document as many times as it has "
     "pages; the ranges above show what that costs."),
    ("many", "Many documents",
     "Documents with one page each, in a folder. The others have no command for this: `xargs` starts them for "
     "each document, and Python's libraries for 50 at a time."),
    ("zoom", "Deep zoom",
     "One square of 512 pixels far inside a page at 1,152 dpi. `mutool draw` cannot cut out a part "
     "and draws the page."),
    ("text", "Text", "Cached: the text of these pages is in recto's cache."),
    ("search", "Search",
     "Every occurrence, with the text around it or the number of hits of a page. `grep` finds lines, without the "
     "number of the page, and nothing that goes across the end of a line. Cached: recto's cache has the text of "
     "the document, from the same search."),
    ("growth", "Growth",
     "How times grow with the pages of the document, with resolution, with workers, and with cores. `mutool draw` "
     "has as many processes as recto has workers."),
]


# Words that do not depend on a result.
METHOD, IN_PROCESS = (Path(__file__).with_name(name).read_text()
                      for name in ("method.md", "in-process.md"))


def head(result):
    """When, what and on which machine, in one paragraph."""
    data = result.data
    machine = data["machine"]
    virtual = "virtual " if machine["virtual"] else ""
    changed = " with changes" if data["changed"] else ""
    return (f"{data['date']} · commit {data['commit']}{changed} · {machine['system']}, Linux "
            f"{machine['kernel']} · {machine['cores']} {virtual}cores ({machine['processor']}), "
            f"{machine['memory'] / 2**30:.0f} GiB · {outputs(data)}"
            f"{'one run' if data['runs'] == 1 else 'up to ' + str(data['runs']) + ' runs'} each")


def outputs(data):
    """Where outputs were; older results do not say."""
    found = data.get("outputs")
    return f"outputs on {found['filesystem']} · " if found else ""


def prose(*paragraphs):
    """Paragraphs as lines of a length for reading."""
    lines = []
    for text in paragraphs:
        lines += textwrap.wrap(text, 110, break_long_words=False, break_on_hyphens=False) + [""]
    return lines


def relative(root, path):
    return path.relative_to(root).as_posix()


def tables(result):
    """All tables, for the terminal."""
    lines = [head(result), "", *budget_table(result)]
    for entry in result.rows.values():
        lines += row(entry)
    return "\n".join(lines + memory_table(result))


def benchmarks(root, result):
    """docs/BENCHMARKS.md."""
    inside = result.data.get("in process")
    source = relative(root, result.path)
    lines = [
        "# Benchmarks", "",
        f"<!-- Written by `scripts/bench --write {source}`; edit Tests/Benchmarks/sidebyside instead. -->",
        "",
        *prose(
            "`scripts/bench` installs the peers, downloads or makes the documents, runs everyone on the "
            "same work in turn, and writes this page, the charts and the README's table. Every figure "
            f"here comes from [{source}](../{source}), which holds every sample. Times vary from machine "
            "to machine; ratios are what counts.", head(result)),
        "## How it is measured", "", METHOD,
        "## Budgets", "", *budget_table(result),
    ]
    for group, title, words in GROUPS:
        found = result.group(group)
        if found:
            lines += [f"## {title}", "", *(prose(words) if words else [])]
            if group == "growth":
                lines += growth.section(result)
                continue
            for entry in found:
                lines += row(entry)
    lines += ["## Memory", "",
              *prose("The most that a process has held (VmHWM), in a run that is not timed: the process "
                     "that was started, and the largest of those it started itself."),
              *memory_table(result)]
    if inside:
        lines += ["## In process", "", IN_PROCESS, *benchmark_table(inside)]
    lines += second_run(root, result)
    lines += documents(result) + versions(result) + commands(result)
    return "\n".join(lines).rstrip() + "\n"


def second_run(root, result):
    """How far a second run says the same, if there is one."""
    path = agreement.beside(result.path)
    if not path.exists():
        return []
    text, apart = agreement.sentences(agreement.compare(result, Result(path)))
    source = relative(root, path)
    lines = ["## A second run", "",
             *prose(f"All of it was measured again, see [{source}](../{source}). In both there are {text}"
                    f"{'; those that do not:' if apart else '.'}")]
    return [*lines, *(f"- {agreement.line(pair)}" for pair in apart), *([""] if apart else [])]


def documents(result):
    lines = ["## Documents", "", "| | pages | bytes | |", "|---|---:|---:|---|"]
    for document in result.data["documents"]:
        lines.append(f"| {document['name']} | {document['pages']:,} | {document['bytes']:,} "
                     f"| {document['what']} |")
    return lines + [""]


def versions(result):
    lines = ["## Versions", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {version} |" for name, version in result.data["versions"].items()]
    return lines + [""]


def commands(result):
    lines = ["## Commands", "",
             *prose("OUT is an empty directory; `python_peers.py` is "
                    "[Tests/Benchmarks/sidebyside/python_peers.py](../Tests/Benchmarks/sidebyside/python_peers.py). With several "
                    "processes each gets a neighbouring part of the pages."), "```"]
    for entry in result.rows.values():
        lines.append(f"# {entry.id}")
        said = set()
        for contestant in entry.entrants:
            # Older results name the script as it was called then.
            command = contestant.command.split("at once: ")[-1].replace(" script.py ", " python_peers.py ")
            if command not in said:
                lines.append(command)
            said.add(command)
    return lines + ["```"]


def readme(root, result):
    """The README's part: one table and the charts."""
    source = relative(root, result.path)
    entry = result.rows["window-last"]
    base = entry.recto
    alone = result.rows["window-alone"].recto
    pages = entry.title.split("(")[1].split(" ")[0]
    lines = [*prose(f"Page {pages} of a real document of as many pages, at 144 dpi; whole "
                    "processes, medians."),
             "| | median | times recto's |", "|---|---:|---:|"]
    for contestant in entry.entrants:
        name = f"`recto render`,{contestant.name.split(',')[1]}" if contestant.is_recto \
            else contestant.name
        lines.append(f"| {name} | {seconds(contestant.wall)} | {contestant.ratio:.2f} |")
    lines += [f"| `recto render`, cold, that page as a file of its own | {seconds(alone.wall)} "
              f"| {alone.wall / base.wall:.2f} |", "",
              "![Forty pages as PNG at 192 dpi](docs/charts/pages.svg)", "",
              *prose("`scripts/bench` measures again on your machine. "
                     "[docs/BENCHMARKS.md](docs/BENCHMARKS.md) has everything: budgets met and missed, rows "
                     f"that a peer wins, commands, versions. ({head(result)})")]
    return "\n".join(lines).rstrip()


def png(root, result):
    """The tables of docs/PNG.md."""
    encoder = result.data["in process"]["encoder"]
    lines = [*prose(head(result),
                    "Processor time of the thread, the sum of each tile's fastest run, a page at 192 ppi in "
                    "tiles of 512 pixels. In brackets: times faster than cairo, and bytes as a share of "
                    "cairo's."),
             *encoder_table(encoder["methods"], True),
             "Filters, all with libdeflate level 2; in brackets the ratio to unfiltered rows:", "",
             *encoder_table(encoder["filters"], False)]
    return "\n".join(lines).rstrip()


def files(root, result):
    """Path and text of everything that is drawn from a result."""
    yield root / "docs/BENCHMARKS.md", benchmarks(root, result)
    for name, svg in (*charts(result), *growth.charts(result)):
        yield root / "docs/charts" / name, svg
    for path, make in ((root / "README.md", readme), (root / "docs/PNG.md", png)):
        yield path, marked(path, make(root, result), relative(root, result.path))


def marked(path, text, source):
    """The document with `text` between its marks, which name the result file."""
    pattern = re.compile(r"<!-- bench: .*? -->\n.*?\n<!-- bench end -->", re.DOTALL)
    document = path.read_text()
    if len(pattern.findall(document)) != 1:
        raise SystemExit(f"{path.name}: needs one part between <!-- bench: … --> and <!-- bench end -->")
    return pattern.sub(lambda _: f"<!-- bench: {source} -->\n{text}\n<!-- bench end -->", document)


def write(root, path):
    """Writes all documents from a result file."""
    result = Result(path)
    for file, text in files(root, result):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        print(f"wrote {relative(root, file)}", file=sys.stderr)
    return 0


def check(root):
    """1 if a document is not what the result file named in the README gives, byte by byte."""
    found = re.search(r"<!-- bench: (\S+) -->", (root / "README.md").read_text())
    if not found:
        print("bench: the README names no result file", file=sys.stderr)
        return 1
    result = Result(root / found.group(1))
    stale = [relative(root, file) for file, text in files(root, result)
             if not file.exists() or file.read_text() != text]
    for name in stale:
        print(f"bench: {name} is not what {found.group(1)} gives: run scripts/bench --write "
              f"{found.group(1)}", file=sys.stderr)
    return 1 if stale else 0
