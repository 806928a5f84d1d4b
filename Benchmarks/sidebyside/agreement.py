"""Whether two runs on the same machine say the same."""


def show(one, other):
    """Prints the medians that lie outside the other file's samples, both ways; 1 if there are any.

    A result states its own spread by its samples; with few of them some disagreement is to be
    expected.
    """
    apart = compared = 0
    for id, row in one.rows.items():
        partner = other.rows.get(id)
        for mine in row.entrants if partner else ():
            theirs = partner.get(mine.name)
            if theirs is None:
                continue
            compared += 1
            if not within(mine.wall, theirs) and not within(theirs.wall, mine):
                apart += 1
                print(f"{theirs.wall / mine.wall:6.2f} ×  {id}: {mine.name}")
    print(f"{apart} of {compared} medians differ by more than the files' own spread")
    return 1 if apart else 0


def within(value, contestant):
    samples = contestant.entry["wall"]
    return min(samples) <= value <= max(samples)
