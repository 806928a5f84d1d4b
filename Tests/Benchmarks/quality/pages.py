"""The pages that are drawn: kinds of content, not difficulties of any one program."""

from dataclasses import dataclass
from pathlib import Path

from sidebyside.inputs import Inputs


@dataclass(frozen=True)
class Page:
    """A page, and what is to be seen on it."""

    kind: str
    name: str
    path: Path
    number: int

    @property
    def title(self):
        return f"{self.name} p. {self.number:,}"


# Kind, document, page. Text comes first: it has a budget of its own.
CHOSEN = [
    ("text", "book", 3),
    ("text", "fullrefman", 1200),
    ("text", "bookvol10.5", 500),
    ("small type", "pgfmanual", 1310),
    ("CJK", "debian-reference.zh-cn", 100),
    ("drawings", "pgfplots", 100),
    ("drawings", "pgfmanual", 300),
    ("maps", "mercatormap", 20),
    ("maps", "map", 1),
    ("scans", "scan", 1),
    ("scans", "scan", 3),
    ("scans", "scan", 4),
    ("by Splash", "pgfmanual", 1),
]


def pages(root, directory, python, progress):
    """All pages; documents that are not there yet are downloaded or made."""
    inputs = Inputs(root, directory, python, progress)
    made = {"scan": inputs.scan, "map": inputs.map}
    paths = {"book": root / "Fixtures/book.pdf"}
    for name in dict.fromkeys(name for _, name, _ in CHOSEN if name not in paths):
        if name in made:
            paths[name] = inputs.made(name, made[name], "").path
        else:
            paths[name] = inputs.packaged(name, "").path
    return [Page(kind, name, paths[name], number) for kind, name, number in CHOSEN]
