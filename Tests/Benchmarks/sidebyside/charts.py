"""Bar charts as SVG: no script, no font of their own, readable on light and on dark ground."""

import re
from html import escape

from .tables import seconds

STYLE = """\
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 15px }
.note { fill: #59636e; font-size: 12px }
.bar { fill: #8c959f }
.ours { fill: #0969da }
.spread { stroke: #1f2328; stroke-width: 1.5; fill: none; opacity: .55 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.note { fill: #9198a1 }
.bar { fill: #656c76 }
.ours { fill: #4493f8 }
.spread { stroke: #e6edf3 }
}
</style>
"""

WIDTH, LABELS, VALUES, ROW, TOP = 760, 230, 130, 26, 52


def label(name):
    """An entrant's name, short enough for the margin."""
    return re.sub(r", (\d+) processes", r" × \1", name.replace(", compress_level=", ", level "))


def bars(title, note, entrants):
    """One horizontal bar for each entrant, longest last; the thin line is the quartiles' range."""
    longest = max(max(entrant.wall, entrant.high) for entrant in entrants)
    reach = WIDTH - LABELS - VALUES
    ours = min((entrant for entrant in entrants if entrant.is_recto), key=lambda e: e.wall)
    base = next(entrant for entrant in entrants if entrant.is_recto)
    height = TOP + ROW * len(entrants) + 8
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
           f'width="{WIDTH}" height="{height}" role="img" aria-label="{escape(title)}">\n', STYLE,
           f'<text class="title" x="0" y="18">{escape(title)}</text>\n',
           f'<text class="note" x="0" y="37">{escape(note)}</text>\n']
    for number, entrant in enumerate(sorted(entrants, key=lambda entrant: entrant.wall)):
        top = TOP + ROW * number
        middle = top + ROW / 2 - 1
        length = max(entrant.wall / longest * reach, 1)
        low, high = (LABELS + value / longest * reach for value in (entrant.low, entrant.high))
        value = seconds(entrant.wall)
        if entrant is not base and entrant is not ours:
            value += f" · {entrant.ratio:.1f} ×"
        out.append(f'<text x="{LABELS - 8}" y="{middle + 4:.1f}" text-anchor="end">'
                   f'{escape(label(entrant.name))}</text>\n')
        out.append(f'<rect class="{"ours" if entrant.is_recto else "bar"}" x="{LABELS}" '
                   f'y="{top + 3}" width="{length:.1f}" height="{ROW - 8}" rx="2"/>\n')
        out.append(f'<path class="spread" d="M{low:.1f} {middle:.1f}H{high:.1f}"/>\n')
        out.append(f'<text x="{LABELS + max(length, high - LABELS) + 6:.1f}" '
                   f'y="{middle + 4:.1f}">{value}</text>\n')
    return "".join(out) + "</svg>\n"


def charts(result):
    """File name and SVG of the README's chart, if its row is there."""
    row = result.rows.get("pages-fullrefman-192")
    if row:
        note = ("Pages of the R reference manual; × N: N processes, as many as recto's workers. Shorter is "
                "better.")
        entrants = [entrant for entrant in row.entrants if entrant.is_complete]
        yield "pages.svg", bars("Forty pages as PNG at 192 dpi", note, entrants)
