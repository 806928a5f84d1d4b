"""`scripts/bench`: measures, and writes what documents show."""

import argparse
import datetime
import os
import sys
from pathlib import Path

from . import agreement, inprocess, machine, report, result
from .details import details
from .inputs import Inputs
from .measure import Plan, Progress, measure_row
from .outputs import Outputs
from .peers import Peers
from .recto import Recto
from .remote import RemoteServer
from .rows import rows
from .run import adopt_orphans

ROOT = Path(__file__).resolve().parents[3]


def arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/bench", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Measures recto and its peers side by side; writes a result file, and from it "
                    "docs/BENCHMARKS.md,\nthe charts, and tables of the README and other documents.",
        epilog="Documents are kept in .build/bench, or in the directory BENCH_DATA names.")
    parser.add_argument("--runs", type=int, default=5, metavar="N",
                        help="times everyone runs, 1 or more (default: 5; about 40 minutes)")
    parser.add_argument("--allowance", type=float, default=8, metavar="SECONDS",
                        help="who has spent this much on a row runs three times, and who has spent three times "
                             "as much twice (default: 8)")
    parser.add_argument("--quick", action="store_true",
                        help="up to three runs of a third of the rows; documents are not written")
    parser.add_argument("--only", metavar="PART",
                        help="rows whose name contains PART; documents are not written")
    parser.add_argument("--no-in-process", action="store_true",
                        help="leave out what runs inside a process")
    parser.add_argument("--outputs", type=Path, metavar="DIR",
                        help="where outputs and recto's cache are (default: /dev/shm if it is in memory "
                             "and has room, else the usual temporary directory)")
    parser.add_argument("--list", action="store_true", help="print the names of all rows")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE",
                        help="the result file (default: Tests/Benchmarks/results/DATE-COMMIT.json)")
    parser.add_argument("--again", type=Path, metavar="FILE",
                        help="measure a second time: the result goes beside FILE, and documents say "
                             "how the two agree")
    parser.add_argument("--write", type=Path, metavar="FILE",
                        help="only write documents and charts, from a result file")
    parser.add_argument("--show", type=Path, metavar="FILE",
                        help="only print the rows of a result file, with quartiles, memory and commands")
    parser.add_argument("--agree", type=Path, nargs=2, metavar="FILE",
                        help="only say how far two result files agree about the ratios to recto")
    parser.add_argument("--check", action="store_true",
                        help="only say whether documents are what their result file gives")
    parser.add_argument("--python", type=Path, default=sys.executable, help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = arguments()
    if options.check:
        return report.check(ROOT)
    if options.agree:
        return agreement.show(*(result.Result(path) for path in options.agree))
    if options.show:
        print(details(result.Result(options.show)))
        return 0
    if options.write:
        return report.write(ROOT, options.write.resolve())
    return measure(options)


def measure(options):
    progress = Progress()
    data = Path(os.environ.get("BENCH_DATA", ROOT / ".build/bench")).resolve()
    partial = options.quick or options.only or options.no_in_process
    commit, changed = machine.commit(ROOT)
    if options.again:
        if partial or options.output:
            raise SystemExit("bench: --again measures everything, and names its result itself")
        if result.Result(options.again).data["commit"] != commit:
            raise SystemExit(f"bench: {options.again} is not of this commit")
    if not options.no_in_process and not options.list:
        inprocess.build(ROOT, progress)
    documents = Inputs(ROOT, data, options.python, progress).all()
    today = datetime.date.today().isoformat()
    server = RemoteServer(documents["large"])
    adopt_orphans()
    os.environ["LC_ALL"] = "C.UTF-8"
    outputs = Outputs(ROOT, options.outputs)
    try:
        # Recto draws with as many workers as there are cores. Two at least, so that rows differ.
        processes = max(2, os.cpu_count() or 2)
        recto = Recto(ROOT, outputs.memory, processes)
        disk = Recto(ROOT, outputs.disk, processes) if outputs.disk else None
        chosen = [row for row in rows(documents, recto, Peers(options.python, processes), data, server, disk)
                  if (row.quick or not options.quick) and (options.only or "") in row.id]
        if options.list:
            print("\n".join(f"{row.id:28} {row.title}" for row in chosen))
            return 0
        for kind in filter(None, (recto, disk)):
            kind.prepare(documents["scan"])
        plan = Plan(3, 1, 2) if options.quick else Plan(options.runs, 3, options.allowance)
        found = {
            "format": result.FORMAT, "date": today,
            "commit": commit, "changed": changed, "runs": plan.most,
            "processes": processes,
            "outputs": outputs.described(),
            "machine": machine.machine(), "versions": machine.versions(options.python),
            "documents": [
                {"name": document.shown, "pages": document.pages,
                 "bytes": document.bytes, "what": document.what}
                for document in documents.values()],
        }
        measured = []
        for number, row in enumerate(chosen, 1):
            progress(f"{number}/{len(chosen)} {row.id}: {row.title}")
            measured.append(measure_row(row, outputs.of(row), plan, progress))
        found["rows"] = measured
        # What took longest is not lost if something goes wrong from here on.
        (data / "rows.json").write_text(result.text(found))
        if not options.no_in_process:
            found["in process"] = inprocess.measure(ROOT, data, documents, options.python,
                                                    progress)
            found["cached window"] = inprocess.cached_window(recto, documents, outputs.memory)
    finally:
        outputs.remove()
    name = f"{today}-{commit}{'-changed' if changed else ''}.json"
    output = options.output or (data if partial else ROOT / "Tests/Benchmarks/results") / name
    if options.again:
        output = agreement.beside(options.again)
    output.write_text(result.text(found))
    progress(f"wrote {output}")
    if partial or ROOT not in output.resolve().parents:
        print(details(result.Result(output)))
        return 0
    return report.write(ROOT, (options.again or output).resolve())


if __name__ == "__main__":
    sys.exit(main())
