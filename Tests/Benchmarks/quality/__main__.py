"""`scripts/quality`: measures how well pages are drawn, beside other programs, and writes docs/QUALITY.md."""

import argparse
import concurrent.futures
import functools
import json
import sys
import tempfile
from pathlib import Path

from . import report

ROOT = Path(__file__).resolve().parents[3]
RESULT = ROOT / "Tests/Benchmarks/results/quality.json"
SIZES = [("thumbnail", 256), ("page", 48), ("page", 96), ("page", 144), ("page", 192)]


def arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/quality",
        description="Measures how far the pictures of recto and its peers are from the page; writes "
                    "Tests/Benchmarks/results/quality.json, docs/QUALITY.md and its pictures. Takes half an hour.",
        epilog="Documents are kept in .build/bench, or in the directory BENCH_DATA names.")
    parser.add_argument("--recto", type=Path, default=ROOT / ".build/release/recto", help="the program")
    parser.add_argument("--inputs", type=Path, default=ROOT / ".build/bench", help="the documents")
    parser.add_argument("--only", action="append", metavar="KIND",
                        help="only print the rows of a kind of page: text, 'small type', CJK, drawings, maps, scans, 'by Splash', lines")
    parser.add_argument("--pictures", action="store_true", help="only draw the pictures")
    parser.add_argument("--write", action="store_true", help="only write the document, from the result")
    parser.add_argument("--check", action="store_true", help="only say whether the document is what the result gives")
    return parser.parse_args()


def main():
    options = arguments()
    if options.check:
        return report.check(ROOT, RESULT)
    if options.write:
        return report.write(ROOT, RESULT)
    # What these need is installed by scripts/quality.
    from . import lines, pages, pictures, programs
    progress = lambda text: print(text, file=sys.stderr)
    if options.only == ["lines"]:
        contrast(lines, programs.all_programs(options.recto))
        return
    chosen = pages.pages(ROOT, options.inputs, sys.executable, progress)
    everyone = programs.all_programs(options.recto)
    if options.pictures:
        return pictures.write(ROOT, chosen, everyone)
    kinds = options.only or {page.kind for page in chosen}
    # Each needs up to 10 GB for the largest pages.
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        rows = sum(pool.map(functools.partial(measured, everyone),
                            [page for page in chosen if page.kind in kinds]), [])
    if options.only:
        return
    result = {"programs": programs.versions(options.recto), "rows": rows, "contrast": contrast(lines, everyone)}
    RESULT.write_text(json.dumps(result, indent=1) + "\n")
    pictures.write(ROOT, chosen, everyone)
    report.write(ROOT, RESULT)


def contrast(lines, everyone):
    """A row for each kind of line and size, printed as soon as it is known."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for row in lines.rows(everyone, lines.page(Path(folder) / "lines.pdf")):
            print(json.dumps(row), flush=True)
            rows.append(row)
    return rows


def measured(everyone, page):
    """A row for each size, printed as soon as it is known."""
    from . import measures
    rows = []
    for kind, value in SIZES:
        row = {"kind": page.kind, "page": page.title, "size": f"{value} {'px' if kind == 'thumbnail' else 'dpi'}"}
        for program in everyone:
            _, _, distance, similarity = measures.measure(program, page, kind, value)
            row[program.name] = {"rmse": round(distance, 2), "ssim": round(similarity, 4)}
        print(json.dumps(row), flush=True)
        rows.append(row)
    return rows


if __name__ == "__main__":
    sys.exit(main())
