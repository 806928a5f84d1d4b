"""The result file: every sample as taken, and the few numbers drawn from them."""

import json
import statistics

FORMAT = 1


class Absent(Exception):
    """A row lacks an entrant: it failed, or the result is of before it took part."""


def summary(values):
    """Median and quartiles."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return middle, low, high


class Contestant:
    """One entrant's part of a result."""

    def __init__(self, row, entry):
        self.row = row
        self.entry = entry
        self.name, self.peer = entry["name"], entry["peer"]
        self.processes, self.command = entry["processes"], entry["command"]
        self.bytes, self.files = entry["bytes"], entry["files"]
        self.memory = entry.get("memory")
        self.samples = len(entry["wall"])
        self.wall, self.low, self.high = summary(entry["wall"])
        self.cpu = summary(entry["cpu"])[0]
        # What a script took of itself, without starting Python; else the same as `wall`.
        self.inner = summary(entry["inner"])[0] if entry.get("inner") else self.wall

    @property
    def ratio(self):
        """Its time as a multiple of recto's first entrant's."""
        return self.wall / self.row.recto.wall

    @property
    def ratios(self):
        """The same for each round: everyone runs once in one."""
        return [mine / recto
                for mine, recto in zip(self.entry["wall"], self.row.recto.entry["wall"])]

    @property
    def is_recto(self):
        return self.peer == "recto"

    @property
    def is_complete(self):
        """Whether PNG was written where the others write PNG."""
        return "no PNG" not in self.name


class ResultRow:
    def __init__(self, entry):
        self.id, self.group, self.title = entry["id"], entry["group"], entry["title"]
        self.failed = entry.get("failed", [])
        # Where outputs were; older results do not say.
        self.filesystem = entry.get("filesystem")
        self.entrants = [Contestant(self, part) for part in entry["entrants"]]

    def __getitem__(self, name):
        found = self.get(name)
        if found is None:
            raise Absent(f"{self.id}: {name}")
        return found

    def get(self, name):
        return next((entrant for entrant in self.entrants if entrant.name == name), None)

    @property
    def recto(self):
        """Recto's first entrant: the cold one where there are two."""
        return next(entrant for entrant in self.entrants if entrant.is_recto)

    @property
    def peers(self):
        return [entrant for entrant in self.entrants if not entrant.is_recto]


class Result:
    """A result file that has been read."""

    def __init__(self, path):
        self.path = path
        self.data = json.loads(path.read_text())
        if self.data.get("format") != FORMAT:
            raise SystemExit(f"{path}: not a result file of format {FORMAT}")
        self.rows = {entry["id"]: ResultRow(entry) for entry in self.data["rows"]}

    def group(self, name):
        return [row for row in self.rows.values() if row.group == name]


def text(data):
    """The file's bytes: one line for each entrant, so that results can be compared by eye."""
    data = dict(data)
    rows = data.pop("rows")
    head = json.dumps(data, ensure_ascii=False, indent=1)[:-2]
    lines = []
    for row in rows:
        entrants = ",\n".join("   " + json.dumps(entry, ensure_ascii=False)
                              for entry in row["entrants"])
        start = json.dumps({k: v for k, v in row.items() if k != "entrants"}, ensure_ascii=False)
        lines.append(f"  {start[:-1]}, \"entrants\": [\n{entrants}]}}")
    return head + ",\n \"rows\": [\n" + ",\n".join(lines) + "]\n}\n"
