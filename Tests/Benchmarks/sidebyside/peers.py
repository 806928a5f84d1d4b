"""The command lines of recto's peers: as their users write them, with the best flags we know.

In arguments OUT stands for an empty directory of the run. Work that can be divided is divided into
as many neighbouring ranges of pages as there are processes.
"""

from pathlib import Path

from .run import Entrant

SCRIPT = str(Path(__file__).with_name("python_peers.py"))

# Where a quality is set: the default of poppler's tools and of Pillow.
JPEG_QUALITY = 75


def ranges(first, last, processes):
    """`processes` neighbouring ranges that cover first…last."""
    count = last - first + 1
    edges = [first + count * k // processes for k in range(processes + 1)]
    return list(zip(edges, [edge - 1 for edge in edges[1:]]))


def divided(name, peer, command, first, last, processes):
    """An entrant for a range of pages; `command(first, last)` is (argv, shown)."""
    commands = [command(a, b)[0] for a, b in ranges(first, last, processes)]
    shown = command(first, last)[1]
    if processes > 1:
        name, shown = f"{name}, {processes} processes", f"in {processes} parts at once: {shown}"
    return Entrant(name, peer, commands, shown, processes)


class Peers:
    """Entrants by kind of work.

    `python` runs the peers that are Python libraries; `processes` is how many recto uses.
    """

    def __init__(self, python, processes):
        self.python, self.processes = str(python), processes
        self.pypdfium2 = str(Path(python).with_name("pypdfium2"))

    # A range of pages (one page is a short range) at `dpi`.

    def poppler(self, tool, document, first, last, dpi, processes=1, form="-png"):
        flags = [form] if form else []

        def command(a, b):
            argv = [tool, *flags, "-r", f"{dpi:g}", "-f", str(a), "-l", str(b)]
            return ([*argv, str(document.path), "OUT/page"],
                    " ".join([*argv, document.shown, "OUT/page"]))

        name = tool if form else f"{tool}, as PPM (no PNG)"
        return divided(name, "poppler", command, first, last, processes)

    def mutool(self, document, first, last, dpi, processes=1, flags=(), form="png"):
        def command(a, b):
            argv = ["mutool", "draw", "-q", *flags, "-r", f"{dpi:g}", "-o", f"OUT/%d.{form}"]
            pages = f"{a}-{b}" if a != b else str(a)
            return [*argv, str(document.path), pages], " ".join([*argv, document.shown, pages])

        name = " ".join(["mutool draw", *flags]) + ("" if form == "png" else ", as PNM (no PNG)")
        entrant = divided(name, "mutool", command, first, last, processes)
        entrant.processes = 2 if "-P" in flags else processes
        return entrant

    def pdfium_command(self, document, first, last, dpi, processes=1, form="png"):
        flags = ["--linear"] if processes == 1 else ["--processes", str(processes)]
        argv = ["render", "--format", form, "--pages", f"{first}-{last}" if first != last
                else str(first), "--scale", f"{dpi / 72:.6g}", "--output", "OUT"]
        name = "pypdfium2 render" + ("" if processes == 1 else f", {processes} processes")
        # Its list of options follows --linear; the file goes first.
        return Entrant(name, "pypdfium2",
                       [[self.pypdfium2, argv[0], str(document.path), *argv[1:], *flags]],
                       " ".join(["pypdfium2", argv[0], document.shown, *argv[1:], *flags]),
                       processes)

    def library(self, library, work, document, first, last, measure, processes=1, level=None):
        """A Python library through python_peers.py; `work` is pages or jpeg (measure: dpi), or thumbs
        (side)."""
        measure = measure if work == "thumbs" else measure / 72
        options = [] if level is None else [str(level)]
        if work == "jpeg":
            options.append(str(JPEG_QUALITY))

        def command(a, b):
            head = [library, work]
            tail = [str(a), str(b), f"{measure:.6g}", "OUT", *options]
            return ([self.python, SCRIPT, *head, str(document.path), *tail],
                    " ".join(["python3 python_peers.py", *head, document.shown, *tail]))

        name = {"pdfium": "pypdfium2 + Pillow", "pymupdf": "PyMuPDF"}[library]
        name += "" if level is None else f", compress_level={level}"
        peer = {"pdfium": "pypdfium2", "pymupdf": "PyMuPDF"}[library]
        return divided(name, peer, command, first, last, processes)

    def vips(self, document, first, last, dpi, processes=1):
        """One process a page: the command has no way to save several pages as several files."""
        def command(a, b):
            save = 'vips copy "$0[page=$((p-1)),dpi=%g]" "$1/$p.png[compression=1]"' % dpi
            if a == b:
                loaded = f"{document.path}[page={a - 1},dpi={dpi:g}]"
                shown = f"vips copy {document.shown}[page={a - 1},dpi={dpi:g}]"
                return (["vips", "copy", loaded, "OUT/page.png[compression=1]"],
                        f"{shown} OUT/page.png[compression=1]")
            loop = f"for p in $(seq {a} {b}); do {save}; done"
            return (["sh", "-c", loop, str(document.path), "OUT"],
                    loop.replace('"', "").replace("$0", document.shown).replace("$1", "OUT"))

        return divided("vips (with poppler)", "vips", command, first, last, processes)

    # Thumbnails of a range of pages, the longer side `side` pixels.

    def poppler_thumbs(self, tool, document, first, last, side, processes=1):
        def command(a, b):
            argv = [tool, "-png", "-scale-to", str(side), "-f", str(a), "-l", str(b)]
            return ([*argv, str(document.path), "OUT/page"],
                    " ".join([*argv, document.shown, "OUT/page"]))

        return divided(tool, "poppler", command, first, last, processes)

    def mutool_thumbs(self, document, first, last, side, processes=1, flags=()):
        def command(a, b):
            argv = ["mutool", "draw", "-q", *flags, "-w", str(side), "-h", str(side),
                    "-o", "OUT/%d.png"]
            return ([*argv, str(document.path), f"{a}-{b}"],
                    " ".join([*argv, document.shown, f"{a}-{b}"]))

        entrant = divided(" ".join(["mutool draw", *flags]), "mutool", command, first, last,
                          processes)
        entrant.processes = 2 if "-P" in flags else processes
        return entrant

    # One square of a page, `x`, `y` and `side` in pixels at `dpi`.

    def poppler_tile(self, tool, document, page, dpi, x, y, side):
        argv = [tool, "-png", "-r", f"{dpi:g}", "-f", str(page), "-l", str(page),
                "-x", str(x), "-y", str(y), "-W", str(side), "-H", str(side)]
        return Entrant(tool, "poppler", [[*argv, str(document.path), "OUT/tile"]],
                       " ".join([*argv, document.shown, "OUT/tile"]))

    def library_tile(self, library, document, page, dpi, x, y, side):
        tail = [str(page), f"{dpi / 72:g}", str(x), str(y), str(side), "OUT"]
        name = {"pdfium": "pypdfium2 + Pillow", "pymupdf": "PyMuPDF"}[library]
        return Entrant(name, name.split()[0],
                       [[self.python, SCRIPT, library, "tile", str(document.path), *tail]],
                       " ".join(["python3 python_peers.py", library, "tile", document.shown, *tail]))

    def vips_tile(self, document, page, dpi, x, y, side):
        square = [str(x), str(y), str(side), str(side)]
        load = f"[page={page - 1},dpi={dpi:g}]"
        return Entrant("vips (with poppler)", "vips",
                       [["vips", "crop", f"{document.path}{load}", "OUT/tile.png", *square]],
                       " ".join(["vips crop", document.shown + load, "OUT/tile.png", *square]))

    # The sizes of all pages.

    def sizes(self, document):
        path, shown, last = str(document.path), document.shown, str(document.pages)
        found = [
            Entrant("pdfinfo", "poppler", [["pdfinfo", "-f", "1", "-l", last, path]],
                    f"pdfinfo -f 1 -l {last} {shown}"),
            Entrant("mutool pages", "mutool", [["mutool", "pages", path]],
                    f"mutool pages {shown}"),
        ]
        for library, name in [("pdfium", "pypdfium2"), ("pymupdf", "PyMuPDF")]:
            found.append(Entrant(name, name, [[self.python, SCRIPT, library, "sizes", path]],
                                 f"python3 python_peers.py {library} sizes {shown}"))
        return found
