"""docs/QUALITY.md: its text is written by hand, its tables come from the result."""

import json

START, END = "<!-- Written by `scripts/quality --write`; edit Benchmarks/quality instead. -->", "<!-- End. -->"
OWN = ["recto --text precise", "recto --text poppler"]
PEERS = ["pdftocairo", "pdftoppm", "mutool draw", "PDFium"]
TEXTS = ["text", "small type", "CJK"]


def verdict(row):
    """The peer that the budget names, the ratio to it, and whether it is met."""
    own = row[OWN[0]]["rmse"]
    if row["kind"] in TEXTS:
        peer, limit = "mutool draw", 1.0
    else:
        peer, limit = min(PEERS, key=lambda name: row[name]["rmse"]), 1.05
    ratio = own / row[peer]["rmse"]
    return peer, ratio, ratio <= limit


def tables(result):
    programs = OWN + PEERS
    lines = [START, ""]
    lines += ["Programs: " + ", ".join(result["programs"]) + ".", ""]
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
