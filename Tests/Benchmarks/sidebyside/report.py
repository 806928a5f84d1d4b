"""What documents show of a result: docs/BENCHMARKS.md, charts, and the marked parts of others."""

import re
import sys
import textwrap
from pathlib import Path

from . import agreement, growth
from .charts import charts
from .result import Result
from .tables import PROCESSOR, WRITTEN, budgets, encoder_table, job, modes, operations, seconds

# A section: the groups of rows in it, its title, what is said, and which figures are shown beside times.
JOBS = [
    (["start"], "Starting",
     "What a process costs before it does anything. The empty program is one of Swift with an empty `main`, linked "
     "statically as recto is.", []),
    (["window"], "One window",
     "A page at 144 dpi as PNG, in a viewport of its own size. Recto writes tiles of 512 pixels, the others one "
     "picture.", [WRITTEN]),
    (["sizes", "layout"], "All page sizes",
     "Recto prints the layout of the whole document as JSON; the others print or collect sizes. No peer lays out one "
     "window.", []),
    (["pages"], "A range of pages",
     "Every page as PNG. `recto` is `recto render`, which writes tiles; `recto pages` writes one file a page, as the "
     "others do. `-P` is MuPDF's option to use two threads.", [PROCESSOR, WRITTEN]),
    (["jpeg"], "A range of pages as JPEG",
     "Quality 75 where it is set, the default of poppler's tools and of Pillow. This version of `mutool draw` writes "
     "no JPEG.", [PROCESSOR, WRITTEN]),
    (["thumbs"], "Thumbnails",
     "`vipsthumbnail` takes one page at a time and would read the document as many times as it has pages.",
     [PROCESSOR, WRITTEN]),
    (["many"], "Many documents",
     "Documents with one page each, in a folder. The others have no command for this: `xargs` starts them for each "
     "document, and Python's libraries for 50 at a time.", [PROCESSOR, WRITTEN]),
    (["zoom"], "Deep zoom",
     "One square of 512 pixels far inside a page at 1,152 dpi. `mutool draw` cannot cut out a part and draws the "
     "page.", [WRITTEN]),
    (["text"], "Text", "Cached: the text of these pages is in recto's cache.", [PROCESSOR]),
    (["search"], "Search",
     "Every occurrence, with the text around it or the number of hits of a page. `grep` finds lines, without the "
     "number of the page, and nothing that goes across the end of a line. Cached: recto's cache has the text of the "
     "document, from the same search.", [PROCESSOR]),
    (["remote"], "A document on a server",
     "On a server that waits 40 ms before each answer and each connection, and sends 100 Mbit/s. The programs of poppler "
     "and MuPDF need the whole file; Python's libraries take a file of fsspec, which fetches what is read. "
     "[REMOTE.md](REMOTE.md) has the bytes and round trips.", []),
]


# Words that do not depend on a result.
METHOD, IN_PROCESS = (Path(__file__).with_name(name).read_text()
                      for name in ("method.md", "in-process.md"))


def head(result):
    """When, what and on which machine, in one paragraph."""
    data = result.data
    machine = data["machine"]
    changed = " with changes" if data["changed"] else ""
    return (f"{data['date']} · commit {data['commit']}{changed} · {machine['system']}, Linux "
            f"{machine['kernel']} · {cores(machine)}, {machine['memory'] / 2**30:.0f} GiB · {outputs(data)}"
            f"{'one run' if data['runs'] == 1 else 'up to ' + str(data['runs']) + ' runs'} each")


def cores(machine):
    virtual = "virtual " if machine["virtual"] else ""
    return f"{machine['cores']} {virtual}cores ({machine['processor']})"


def outputs(data):
    """Where outputs were; older results do not say."""
    found = data.get("outputs")
    return f"outputs on {found['filesystem']} · " if found else ""


def wrap(text):
    """Lines of a length for reading; items of lists are indented. Code and "a + b" stay on one line."""
    kept = re.sub(r"`[^`]*`| \+ ", lambda found: found.group().replace(" ", "\0"), text)
    lines = textwrap.wrap(kept, 100, subsequent_indent="  " if text.startswith("- ") else "",
                          break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def prose(*paragraphs):
    return [line for text in paragraphs for line in [*wrap(text), ""]]


def wrapped(lines):
    """Tables and pictures as they are, all else as prose."""
    return [part for line in lines for part in (wrap(line) if line and line[0] not in "|!" else [line])]


def relative(root, path):
    return path.relative_to(root).as_posix()


def benchmarks(root, result):
    """docs/BENCHMARKS.md."""
    inside = result.data.get("in process")
    source = relative(root, result.path)
    lines = [
        "# Benchmarks", "",
        f"<!-- Written by `scripts/bench --write {source}`; edit Tests/Benchmarks/sidebyside instead. -->",
        "",
        *prose(
            "`scripts/bench` installs the peers, downloads or makes the documents, runs everyone on the same work in "
            "turn, and writes this page, the charts, the README's table, and those of [LAYOUT.md](LAYOUT.md) and "
            f"[PNG.md](PNG.md). Every figure comes from [{source}](../{source}), which has every sample; "
            "`scripts/bench --show FILE` prints its rows with quartiles, memory and commands. Times vary from machine "
            "to machine; ratios are what counts."),
        "## How it is measured", "", *METHOD.splitlines(),
        *machine(result),
        "## Budgets", "", *wrapped(budgets(result)),
    ]
    for groups, title, words, figures in JOBS:
        found = [entry for group in groups for entry in result.group(group)]
        if found:
            lines += [f"## {title}", "", *prose(words), *wrapped(job(found, figures))]
    lines += wrapped(growth.section(result))
    if inside:
        lines += ["## In process", "", *IN_PROCESS.splitlines(), *operations(inside)]
    lines += second_run(root, result)
    return "\n".join(lines).rstrip() + "\n"


def machine(result):
    """When and on what it was measured, with which versions and documents."""
    disk = result.data.get("outputs", {}).get("disk")
    disk = f' What is "on the disk" is on {disk}.' if disk else ""
    versions = ", ".join(f"{name} {version}" for name, version in result.data["versions"].items())
    lines = ["## Machine, versions and documents", "", *prose(f"{head(result)}.{disk}", f"{versions}."),
             "| | pages | bytes | |", "|---|---:|---:|---|"]
    for document in result.data["documents"]:
        # Growth says what these are.
        if re.fullmatch(r"last-\d+-pages.pdf", document["name"]):
            continue
        lines.append(f"| {document['name']} | {document['pages']:,} | {document['bytes']:,} "
                     f"| {document['what']} |")
    return lines + [""]


def second_run(root, result):
    """How far a second run says the same, if there is one."""
    path = agreement.beside(result.path)
    if not path.exists():
        return []
    text, apart = agreement.sentences(agreement.compare(result, Result(path)))
    source = relative(root, path)
    those = f"; `scripts/bench --agree` lists the {len(apart)} others" if apart else ""
    return ["## A second run", "",
            *prose(f"All of it was measured again, see [{source}](../{source}). In both there are {text}{those}.")]


def readme(root, result):
    """The README's part: one table and the chart."""
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
                     f"that a peer wins, versions. ({head(result)})")]
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


def layout(root, result):
    """The tables of docs/LAYOUT.md."""
    lines = [*prose("With 1,000,000 pages, medians of `scripts/dev/run recto-bench` on "
                    f"{cores(result.data['machine'])}, {result.data['date']}, commit {result.data['commit']}:"),
             *modes(result.data["in process"])]
    return "\n".join(lines).rstrip()


def files(root, result):
    """Path and text of everything that is drawn from a result."""
    yield root / "docs/BENCHMARKS.md", benchmarks(root, result)
    for name, svg in (*charts(result), *growth.charts(result)):
        yield root / "docs/charts" / name, svg
    for path, make in ((root / "README.md", readme), (root / "docs/PNG.md", png),
                       (root / "docs/LAYOUT.md", layout)):
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
