"""docs/QUALITY.md: its text is written by hand, its tables come from the result."""

import json
import textwrap

START, END = "<!-- Written by `scripts/quality --write`; edit Tests/Benchmarks/quality instead. -->", "<!-- End. -->"
OWN = ["recto --text precise", "recto --text poppler"]
PEERS = ["pdftocairo", "pdftoppm", "mutool draw", "PDFium"]
TEXTS = ["text", "small type", "CJK"]
# Their thin lines are seen with PDFium and recto, and are as dark as they are wide with mutool, which is nearer.
LINES = ["drawings", "maps"]


def verdict(row):
    """The peer that the budget names, the ratio to it, and whether it is met."""
    own = row[OWN[0]]["rmse"]
    if row["kind"] in TEXTS:
        peer, limit = "mutool draw", 1.0
    elif row["kind"] in LINES:
        peer, limit = "PDFium", 1.05
    elif row["kind"] == "by Splash":
        # A page that cairo draws wrong: it has what the same rasterizer draws elsewhere.
        peer, limit = "pdftoppm", 1.05
    else:
        peer, limit = min(PEERS, key=lambda name: row[name]["rmse"]), 1.05
    ratio = own / row[peer]["rmse"]
    return peer, ratio, ratio <= limit


# What a line loses in gray levels if it lies a sixteenth of a pixel further from the middle of one: no line of a program
# that gives the page another size lies exactly where it does for the others.
PHASE = 16


def is_seen(row):
    """Whether each width has the contrast that the better of two peers gives it, and none is lighter than a thinner one."""
    own = row[OWN[0]]
    best = [max(pair) for pair in zip(row["mutool draw"], row["PDFium"])]
    return (all(mine + PHASE >= theirs for mine, theirs in zip(own, best))
            and all(wide + PHASE >= thin for thin, wide in zip(own, own[1:])))


def contrast(rows):
    """The table of lines: of each width, in points, the contrast."""
    if not rows:
        return []
    programs = OWN + PEERS
    lines = ["### Contrast of lines of 0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75 and 1 point in gray levels: more is darker", "",
             f"Budgets met: {sum(map(is_seen, rows))} of {len(rows)}.", "",
             "| " + " | ".join(["kind", "size"] + programs + ["budget"]) + " |", "|---" * (3 + len(programs)) + "|"]
    for row in rows:
        cells = [row["kind"], row["size"]] + [" ".join(map(str, row[name])) for name in programs]
        lines.append("| " + " | ".join(cells + ["met" if is_seen(row) else "not met"]) + " |")
    return lines + [""]


def tables(result):
    programs = OWN + PEERS
    lines = [START, ""]
    lines += [*textwrap.wrap("Programs: " + ", ".join(result["programs"]) + ".", 100), ""]
    met = sum(verdict(row)[2] for row in result["rows"])
    lines += [f"Budgets met: {met} of {len(result['rows'])}.", ""]
    for measure, title in [("rmse", "Root mean square difference in gray levels: less is nearer"),
                           ("ssim", "Structural similarity (SSIM): 1 is the same")]:
        lines += [f"### {title}", ""]
        last = ["budget"] if measure == "rmse" else []
        lines += ["| " + " | ".join(["kind", "page", "size"] + programs + last) + " |",
                  "|---" * (3 + len(programs) + len(last)) + "|"]
        for row in result["rows"]:
            values = [row[name][measure] for name in programs]
            best = (min if measure == "rmse" else max)(values)
            shown = [f"{value:.{2 if measure == 'rmse' else 3}f}" for value in values]
            shown = [f"**{text}**" if value == best else text for text, value in zip(shown, values)]
            cells = [row["kind"], row["page"], row["size"]] + shown
            if measure == "rmse":
                peer, ratio, is_met = verdict(row)
                cells.append(f"{ratio:.2f} × {peer}: {'met' if is_met else 'not met'}")
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    lines += contrast(result.get("contrast", []))
    return "\n".join(lines + [END])


def document(root, result):
    text = (root / "docs/QUALITY.md").read_text()
    before, rest = text.split(START)
    return before + tables(json.loads(result.read_text())) + rest.split(END)[1]


def write(root, result):
    text = document(root, result)
    (root / "docs/QUALITY.md").write_text(text)


def check(root, result):
    if document(root, result) != (root / "docs/QUALITY.md").read_text():
        print("docs/QUALITY.md is not what its result gives: run 'scripts/quality --write'")
        return 1
