"""All that a result has about its rows, for the terminal: quartiles, memory and commands too."""

from .tables import memory_text, seconds, size, table, used_memory


def details(result):
    lines = []
    for entry in result.rows.values():
        where = f", outputs on {entry.filesystem}" if entry.filesystem else ""
        lines += [f"{entry.id}: {entry.title}{where}", "",
                  *table(["", "processes", "runs", "median", "quartiles", "times recto's", "without Python",
                          "processor", "written", "memory"], map(cells, entry.entrants)),
                  *(f"{name} did not finish" for name in entry.failed),
                  *dict.fromkeys(command(entrant) for entrant in entry.entrants), ""]
    return "\n".join(lines)


def cells(entrant):
    return [entrant.name, str(entrant.processes), str(entrant.samples), seconds(entrant.wall),
            f"{seconds(entrant.low)} – {seconds(entrant.high)}", f"{entrant.ratio:.2f}",
            seconds(entrant.inner) if entrant.inner != entrant.wall else "–", seconds(entrant.cpu),
            size(entrant.bytes) if entrant.bytes else "–", memory_text(used_memory(entrant)) or "–"]


def command(entrant):
    # Older results name the script as it was called then.
    return entrant.command.split("at once: ")[-1].replace(" script.py ", " python_peers.py ")
