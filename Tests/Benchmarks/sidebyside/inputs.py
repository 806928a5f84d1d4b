"""The documents that everyone works on: found, downloaded or made."""

import gzip
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import synthetic_inputs

# Debian's package, and the file in it, by the name used here.
PACKAGED = {
    "fullrefman": ("r-doc-pdf", "*/fullrefman.pdf"),
    "pgfmanual": ("texlive-pictures-doc", "*/pgfmanual.pdf"),
    "pgfplots": ("texlive-pictures-doc", "*/pgfplots.pdf"),
    "mercatormap": ("texlive-pictures-doc", "*/mercatormap.pdf"),
    "bookvol10.5": ("axiom-doc", "*/bookvol10.5.pdf.gz"),
    "debian-reference.zh-cn": ("debian-reference-zh-cn", "*/debian-reference.zh-cn.pdf"),
}

# How many documents with one page there are.
SINGLE_PAGES = 2000


@dataclass
class Input:
    """A document by the name that documents use for it."""

    name: str
    path: Path
    pages: int
    what: str

    @property
    def shown(self):
        return f"{self.name}.pdf"

    @property
    def bytes(self):
        return self.path.stat().st_size


class Folder(Input):
    """A folder of documents with a page each."""

    @property
    def shown(self):
        return self.name

    @property
    def bytes(self):
        return sum(file.stat().st_size for file in self.path.iterdir())


class Inputs:
    """Makes or finds documents in one directory; what is there is used again."""

    def __init__(self, root, directory, python, progress):
        self.root, self.directory = root, directory
        self.python, self.progress = python, progress
        directory.mkdir(parents=True, exist_ok=True)

    def all(self):
        """Every document by name."""
        return {
            "fullrefman": self.packaged("fullrefman", "R reference manual"),
            "pgfmanual": self.packaged("pgfmanual", "manual with many drawings"),
            "pgfplots": self.packaged("pgfplots", "manual with many plots"),
            "mercatormap": self.packaged("mercatormap", "manual of maps"),
            "large": self.made("large", self.large,
                               "these four manuals, merged several times, with object streams"),
            "last": self.made("last-page", self.last_page, "the last page of large.pdf alone"),
            "small": self.made("small", self.small, "a page with one line of text"),
            "scan": self.made("scan", self.scan, "300 dpi, gray and colour, JPEG and lossless"),
            "map": self.made("map", self.map, "a town map of plain paths"),
            "bookvol": self.packaged("bookvol10.5", "book of 16,248 pages"),
            # qpdf is slow in large.pdf, so the others are made of the longest.
            "last-1000": self.excerpt(1000, "large"),
            "last-100": self.excerpt(100, "last-1000-pages"),
            "last-10": self.excerpt(10, "last-1000-pages"),
            "single": self.single_pages(),
        }

    def described(self, name, path, what):
        said = subprocess.run(["pdfinfo", path], capture_output=True, text=True, errors="replace",
                              check=True).stdout
        pages = next(int(line.split()[1]) for line in said.splitlines()
                     if line.startswith("Pages:"))
        return Input(name, path, pages, what)

    def packaged(self, name, what):
        package, pattern = PACKAGED[name]
        path = self.directory / f"{name}.pdf"
        if not path.exists():
            self.progress(f"unpacking {name}.pdf from Debian's {package}")
            archive = self.archive(package)
            unpack = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", archive],
                                      stdout=subprocess.PIPE)
            with open(path.with_suffix(".part"), "wb") as out:
                subprocess.run(["tar", "-xO", "--wildcards", pattern], stdin=unpack.stdout,
                               stdout=out, check=True)
            unpack.wait()
            if pattern.endswith(".gz"):
                part = path.with_suffix(".part")
                part.write_bytes(gzip.decompress(part.read_bytes()))
            path.with_suffix(".part").rename(path)
        return self.described(name, path, f"{what}, from Debian's {package}")

    def archive(self, package):
        downloads = self.directory / "debs"
        downloads.mkdir(exist_ok=True)
        if not list(downloads.glob(f"{package}_*.deb")):
            self.progress(f"downloading {package}")
            subprocess.run(["apt-get", "download", "-qq", package], cwd=downloads, check=True)
        return next(downloads.glob(f"{package}_*.deb"))

    def made(self, name, make, what):
        path = self.directory / f"{name}.pdf"
        if not path.exists():
            self.progress(f"making {name}.pdf")
            part = path.with_suffix(".part")
            make(part)
            part.rename(path)
        return self.described(name, path, what)

    def large(self, path):
        self.archive("r-doc-pdf")
        self.archive("texlive-pictures-doc")
        subprocess.run([self.root / "scripts/dev/large-fixture", path], check=True,
                       env={**os.environ, "DOWNLOADS": str(self.directory / "debs")})

    def last_page(self, path):
        large = self.directory / "large.pdf"
        subprocess.run(["qpdf", large, "--pages", ".", "z", "--",
                        "--deterministic-id", path], check=True)

    def excerpt(self, count, source):
        """The last `count` pages of large.pdf, taken from a document that ends with them."""
        def make(path):
            subprocess.run(["qpdf", self.directory / f"{source}.pdf", "--pages", ".", f"r{count}-z", "--",
                            "--deterministic-id", path], check=True)

        return self.made(f"last-{count}-pages", make, f"the last {count:,} pages of large.pdf")

    def single_pages(self):
        """The first pages of the R reference manual, each a document of its own."""
        path = self.directory / "single-pages"
        if not path.exists():
            self.progress(f"making {SINGLE_PAGES:,} documents of one page")
            part = self.directory / "single-pages.part"
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            subprocess.run(["qpdf", self.directory / "fullrefman.pdf", "--pages", ".", f"1-{SINGLE_PAGES}",
                            "--", "--deterministic-id", "--split-pages", part / "%d.pdf"], check=True)
            part.rename(path)
        return Folder("single-pages", path, SINGLE_PAGES,
                      f"{SINGLE_PAGES:,} pages of the R reference manual, a document each")

    def scan(self, path):
        subprocess.run([self.python, synthetic_inputs.__file__, self.directory / "fullrefman.pdf", path],
                       check=True)

    def map(self, path):
        path.write_bytes(synthetic_inputs.map_page())

    def small(self, path):
        path.write_bytes(synthetic_inputs.small_page())
