"""Runs the rows: everyone in turn, again and again, so that a disturbance hits everyone."""

import sys
import time
from dataclasses import dataclass, replace

from .machine import filesystem
from .run import Failed, MemoryWatch, run


class Progress:
    """Lines on standard error, with the time since the start."""

    def __init__(self):
        self.begun = time.monotonic()

    def __call__(self, text):
        spent = int(time.monotonic() - self.begun)
        print(f"[{spent // 60:2}:{spent % 60:02}] {text}", file=sys.stderr, flush=True)


@dataclass
class Plan:
    """How often everyone runs: `most` times; who has spent `allowance` seconds on a row stops, but
    not before `least` runs, and who has spent three times as much after two.
    """

    most: int
    least: int
    allowance: float

    def is_done(self, samples):
        spent = sum(sample.wall for sample in samples)
        enough = 2 if spent > 3 * self.allowance else self.least if spent > self.allowance else self.most
        return len(samples) >= min(enough, self.most)

    def times(self, count):
        """The same with `count` times as many runs."""
        return replace(self, most=self.most * count)


def measure_row(row, work, plan, progress):
    """The row as an entry of the result file.

    Everyone runs once without counting, where the row says so, then in turn.
    """
    plan = plan.times(row.times)
    samples = {entrant.name: [] for entrant in row.entrants}
    failed = []
    for number in range(-1 if row.warm else 0, plan.most):
        for entrant in row.entrants:
            if entrant.name in failed or plan.is_done(samples[entrant.name]):
                continue
            try:
                sample = run(entrant, work / "run")
            except Failed as failure:
                failed.append(entrant.name)
                progress(f"FAILED {failure}")
                continue
            # What is slow anyway is not run for nothing.
            if number >= 0 or sample.wall > plan.allowance / 2:
                samples[entrant.name].append(sample)
    entries = []
    for entrant in row.entrants:
        taken = samples[entrant.name]
        if not taken:
            continue
        watched = row.memory and (entrant.peer == "recto" or taken[-1].wall < plan.allowance)
        entries.append(entry(entrant, taken, peak(entrant, work) if watched else None))
    return {"id": row.id, "group": row.group, "title": row.title,
            "filesystem": filesystem(work), "failed": failed, "entrants": entries}


def peak(entrant, work):
    """Peak memory of the processes of one more run."""
    watch = MemoryWatch()
    run(entrant, work / "run", watch)
    return watch.result()


def entry(entrant, samples, memory):
    found = {
        "name": entrant.name, "peer": entrant.peer, "processes": entrant.processes,
        "command": entrant.shown,
        "wall": [round(sample.wall, 6) for sample in samples],
        "cpu": [round(sample.cpu, 6) for sample in samples],
        "bytes": samples[-1].bytes, "files": samples[-1].files,
    }
    if all(sample.inner is not None for sample in samples):
        found["inner"] = [round(sample.inner, 6) for sample in samples]
    if memory:
        found["memory"] = memory
    return found
