"""Whether two runs on the same machine say the same of the ratios to recto.

Times of a whole run drift with the machine; ratios are what counts. A result states the spread of a
ratio by its samples: everyone runs once a round, so each round has a ratio of its own.
"""

from dataclasses import dataclass


@dataclass
class Pair:
    """The same ratio in two results, and whether the ranges of their rounds overlap."""

    row: str
    name: str
    one: float
    other: float
    overlaps: bool

    @property
    def change(self):
        """How much larger the larger one is: 0.1 is 10 %."""
        return max(self.one, self.other) / min(self.one, self.other) - 1


def beside(path):
    """Where the result of a second run is kept."""
    return path.with_name(f"{path.stem}-again.json")


def compare(one, other):
    """All ratios that both results have."""
    pairs = []
    for id, row in one.rows.items():
        partner = other.rows.get(id)
        for mine in row.entrants if partner else ():
            theirs = partner.get(mine.name)
            if theirs is None or mine is row.recto:
                continue
            here, there = mine.ratios, theirs.ratios
            pairs.append(Pair(id, mine.name, mine.ratio, theirs.ratio,
                              min(here) <= max(there) and min(there) <= max(here)))
    return pairs


def sentences(pairs):
    """What there is to say, and the ratios that are apart."""
    changes = sorted(pair.change for pair in pairs)
    half, most = (changes[int(len(changes) * part)] for part in (0.5, 0.9))
    apart = [pair for pair in pairs if not pair.overlaps]
    text = (f"{len(pairs)} ratios to recto's time: half of them differ by less than {half:.1%} between the "
            f"two runs, nine in ten by less than {most:.1%}, all by at most {changes[-1]:.0%}. Of "
            f"{len(pairs) - len(apart)} the rounds' ranges overlap")
    return text, apart


def line(pair):
    return f"{pair.row}, {pair.name}: {pair.one:.2f} and {pair.other:.2f} × recto's time"


def show(one, other):
    """Prints how far two results agree; 1 if there are ratios whose ranges do not overlap."""
    pairs = compare(one, other)
    if not pairs:
        raise SystemExit("bench: the two results have no rows in common")
    text, apart = sentences(pairs)
    print("\n".join([text, *map(line, apart)]))
    return 1 if apart else 0
