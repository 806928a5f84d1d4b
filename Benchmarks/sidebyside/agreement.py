"""Whether two runs on the same machine say the same."""


def beside(path):
    """Where the result of a second run is kept."""
    return path.with_name(f"{path.stem}-again.json")


def compare(one, other):
    """How many medians both results have, and those that are apart: (row, entrant, ratio).

    A result states its own spread by its samples: the range from the fastest to the slowest. Two
    medians are apart when they differ by more than both ranges together.
    """
    compared = 0
    apart = []
    for id, row in one.rows.items():
        partner = other.rows.get(id)
        for mine in row.entrants if partner else ():
            theirs = partner.get(mine.name)
            if theirs is None:
                continue
            compared += 1
            if abs(mine.wall - theirs.wall) > extent(mine) + extent(theirs):
                apart.append((id, mine.name, theirs.wall / mine.wall))
    return compared, apart


def extent(contestant):
    samples = contestant.entry["wall"]
    return max(samples) - min(samples)


def show(one, other):
    """Prints the medians that are apart, and how many there are; 1 if there are any."""
    compared, apart = compare(one, other)
    for id, name, ratio in apart:
        print(f"{ratio:6.2f} ×  {id}: {name}")
    print(f"{len(apart)} of {compared} medians differ by more than both files' ranges together")
    return 1 if apart else 0
