"""Rebuilds every fixture: `python3 -m generator FOLDER`, in the folder above this one."""

import json
import sys
from pathlib import Path

from . import (
    book,
    boxes,
    broken,
    containers,
    drawing,
    hostile,
    linking,
    rasterizers,
    reading,
    repairs,
    shown,
    text,
)
from .check import check

INTRODUCTION = """\
# Fixtures

Small PDFs for the tests and the examples, all of them our own work under the project's licence.
`scripts/dev/fixtures` rebuilds every one, byte for byte, from `generator/`. `book.pdf` embeds subsets
of EB Garamond (SIL Open Font License 1.1); the other files hold no font at all: their letters are
drawn as strokes.

`expected.json` says what a reader should find in each file: pages with their displayed size (the
crop box in points, after /Rotate, times UserUnit), rotation and label, title, direction, page
layout, password, and the failure code where something has to fail. `scripts/dev/fixtures` compares it
with `pdfinfo`, which knows nothing of labels, directions and UserUnit. `error` beside `password`
is what happens without the password; `error` in a page is what happens to that page alone, at the
usual limits (1.5 GB, 30 s).

`scripts/dev/many-pages N FILE` writes larger ones: N numbered pages of several sizes.

| file | pages | bytes | what it shows | made |
|---|---|---|---|---|
"""


def lines(expected):
    """JSON with one line for each page: small differences stay small."""
    out = []
    for name, facts in sorted(expected.items()):
        pages = facts.pop("pages")
        head = "".join(
            f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}, " for k, v in facts.items()
        )
        body = ",\n".join("    " + json.dumps(page, ensure_ascii=False) for page in pages)
        listed = f'"pages": [\n{body}\n  ]' if pages else '"pages": []'
        out.append(f"  {json.dumps(name)}: {{ {head}{listed} }}")
    return "{\n" + ",\n".join(out) + "\n}\n"


def main(folder):
    fixtures = [book.make()]
    aspects = (
        *(boxes, reading, linking, text, drawing, shown, rasterizers, repairs, containers, broken),
        hostile,
    )
    for aspect in aspects:
        fixtures += aspect.make()
    for old in folder.glob("*.pdf"):
        old.unlink()
    for fixture in fixtures:
        (folder / fixture.name).write_bytes(fixture.data)
    rows = [
        f"| `{f.name}` | {len(f.pages)} | {len(f.data):,} | {f.shows} | {f.by} |\n"
        for f in fixtures
    ]
    (folder / "README.md").write_text(INTRODUCTION + "".join(rows))
    (folder / "expected.json").write_text(lines({f.name: f.expected() for f in fixtures}))
    complaints = [line for fixture in fixtures for line in check(folder, fixture)]
    for line in complaints:
        print(line, file=sys.stderr)
    print(
        f"{len(fixtures)} fixtures, {sum(len(f.data) for f in fixtures):,} bytes", file=sys.stderr
    )
    return 1 if complaints else 0


sys.exit(main(Path(sys.argv[1])))
