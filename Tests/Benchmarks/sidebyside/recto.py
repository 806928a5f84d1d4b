"""The command lines of recto itself, and what they wrote."""

import json
import re
import subprocess

from .peers import JPEG_QUALITY
from .run import Entrant, Failed, put_aside, run, written_text


class Recto:
    """Entrants of the release build in `root`, with a cache of its own in `work`."""

    def __init__(self, root, work, processes):
        self.processes = processes
        self.command = str(root / ".build/release/recto")
        self.work = work
        self.cache = work / "cache"
        self.environment = {"XDG_CACHE_HOME": str(self.cache)}

    def forget(self):
        """Leaves nothing about documents; what is known of the installed libraries stays."""
        for path in sorted(self.cache.glob("recto/v*/*")):
            if path.name != "engines":
                put_aside(path, self.work / "aside")

    def prepare(self, document):
        """Lets the cache learn of the installed libraries, which no row is about."""
        run(self.window(document, 1), self.work / "warm")

    def entrant(self, name, arguments, document, cached=False, written=None, processes=1):
        """`cached`: the same command has just been run, so that the cache holds the answer."""
        def warm():
            run(Entrant(name, "recto", [argv], "", environment=self.environment, written=written),
                self.work / "warm")

        argv = [self.command, arguments[0], str(document.path), *arguments[1:]]
        shown = " ".join(["recto", arguments[0], document.shown, *arguments[1:]])
        return Entrant(name, "recto", [argv], shown, processes,
                       before=warm if cached else self.forget,
                       written=written, environment=self.environment)

    def window(self, document, page, cached=False):
        """One page in a viewport of its own size, at 144 dpi."""
        (width, height), = page_sizes(document, page, page)
        arguments = ["render", "--page", str(page), "--margin", "0", "--gap", "0",
                     "--viewport", f"{width:g}x{height:g}", "--scale", "2"]
        return self.entrant(f"recto, {'cached' if cached else 'cold'}", arguments, document,
                            cached, written_tiles)

    def pages(self, document, first, last, dpi):
        """A viewport that holds a whole range of pages."""
        sizes = page_sizes(document, first, last)
        width = max(width for width, _ in sizes)
        height = sum(height for _, height in sizes)
        pages = f"{first}-{last}" if first != last else str(first)
        arguments = ["render", "--pages", pages, "--margin", "0", "--gap", "0",
                     "--viewport", f"{width:g}x{height + 1:g}", "--scale", f"{dpi / 72:.6g}"]
        return self.entrant("recto", arguments, document, False, written_tiles, self.processes)

    def export(self, document, first, last, dpi, form="png", jobs=None):
        """A range of pages as files, a picture each; `jobs`: with so many workers."""
        pages = f"{first}-{last}" if first != last else str(first)
        arguments = ["pages", pages, "--dpi", f"{dpi:g}", "-o", "OUT/{page}.{ext}"]
        if form != "png":
            arguments += ["--format", form, "--quality", str(JPEG_QUALITY)]
        if jobs:
            arguments += ["--jobs", str(jobs)]
        return self.entrant("recto pages", arguments, document, processes=jobs or self.processes)

    def thumbs(self, document, first, last, side):
        pages = "all" if (first, last) == (1, document.pages) else f"{first}-{last}"
        arguments = ["thumbs", "--pages", pages, "--size", str(side), "-o", "OUT"]
        return self.entrant("recto", arguments, document, processes=self.processes)

    def tile(self, document, page, dpi, x, y, side, cached=False):
        """One tile of a page at `dpi`; `x` and `y` are multiples of `side`."""
        zoom = f"{dpi / 72:g}"
        arguments = ["render", "--pages", str(page), "--margin", "0", "--zoom", zoom,
                     "--offset", f"{x},{y}", "--viewport", f"{side}x{side}", "--tile", str(side)]
        return self.entrant(f"recto, {'cached' if cached else 'cold'}", arguments, document,
                            cached, written_tiles)

    def folder_thumbs(self, folder, side, *options):
        """A thumbnail of the first page of every document in a folder."""
        arguments = ["thumbs", "--size", str(side), *options, "-o", "OUT"]
        name = " ".join(["recto thumbs", *options])
        return self.entrant(name, arguments, folder, processes=self.processes)

    def text(self, document, first, last, cached=False):
        return self.entrant(f"recto text, {'cached' if cached else 'cold'}",
                            ["text", f"{first}-{last}"], document, cached, written_text,
                            1 if cached else self.processes)

    def search(self, document, words, cached=False):
        return self.entrant(f"recto search, {'cached' if cached else 'cold'}",
                            ["search", words], document, cached, written_text,
                            1 if cached else self.processes)

    def version(self):
        """Starting the command, and nothing else."""
        return Entrant("recto --version", "recto", [[self.command, "--version"]], "recto --version",
                       written=written_text, environment=self.environment)

    def layout(self, document, *options, cached=False):
        return self.entrant(f"recto layout, {'cached' if cached else 'cold'}",
                            ["layout", *options], document, cached, written_text)


def page_sizes(document, first, last):
    """Displayed sizes in points of a range of pages, by pdfinfo."""
    said = subprocess.run(
        ["pdfinfo", "-f", str(first), "-l", str(last), document.path],
        capture_output=True, text=True, errors="replace", check=True).stdout
    found = re.findall(r"^Page +\d+ size: +([\d.]+) x ([\d.]+) pts", said, re.MULTILINE)
    turned = re.findall(r"^Page +\d+ rot: +(\d+)", said, re.MULTILINE)
    sizes = [(float(width), float(height)) for width, height in found]
    return [(b, a) if rotation in ("90", "270") else (a, b)
            for (a, b), rotation in zip(sizes, turned)]


def written_tiles(directory):
    """Bytes and number of the tiles that `recto render` names; every page must be there whole."""
    answer = json.loads((directory / "stdout-0").read_text())
    pages = [page for spread in answer["spreads"] for page in spread["pages"]]
    tiles = [tile for page in pages for tile in page.get("tiles", [])]
    if not tiles or any("error" in page for page in pages):
        raise Failed(f"recto: a page without tiles in {directory}")
    return sum(tile["bytes"] for tile in tiles), len(tiles)
