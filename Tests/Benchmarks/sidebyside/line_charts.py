"""Line charts as SVG with two logarithmic axes, in the manner of charts.py."""

import math
from html import escape

from .charts import STYLE, WIDTH
from .tables import seconds

LINES = """\
<style>
.line { stroke: #8c959f; stroke-width: 2; fill: none }
.line.mine { stroke: #0969da }
.dot { fill: #8c959f }
.dot.mine { fill: #0969da }
.grid { stroke: #59636e; stroke-width: 1; opacity: .25 }
@media (prefers-color-scheme: dark) {
.line { stroke: #656c76 }
.line.mine { stroke: #4493f8 }
.dot { fill: #656c76 }
.dot.mine { fill: #4493f8 }
}
</style>
"""

LEFT, RIGHT, TOP, BOTTOM, HEIGHT = 70, 130, 60, 46, 330


class Axis:
    """Places of values between two edges, by their logarithms."""

    def __init__(self, values, start, end):
        self.low, self.high = math.log10(min(values)), math.log10(max(values))
        if self.low == self.high:
            self.high += 1
        self.start, self.end = start, end

    def __call__(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def steps(low, high):
    """1, 2, 5, 10 … times a power of ten, around and between two values."""
    found = [factor * 10.0 ** power
             for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
             for factor in (1, 2, 5)]
    first = max(step for step in found if step <= low)
    last = min(step for step in found if step >= high)
    return [step for step in found if first <= step <= last]


def lines(title, note, axis, series):
    """`series`: name and points, each a value and an entrant; the first one is recto's."""
    values = sorted({value for _, points in series for value, _ in points})
    ticks = steps(min(entrant.wall for _, points in series for _, entrant in points),
                  max(entrant.wall for _, points in series for _, entrant in points))
    # Few enough lines to read.
    shown = ticks if len(ticks) <= 7 else [tick for tick in ticks if f"{tick:e}"[0] == "1"]
    x = Axis(values, LEFT, WIDTH - RIGHT)
    y = Axis(ticks, HEIGHT - BOTTOM, TOP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{escape(title)}">\n', STYLE, LINES,
           f'<text class="title" x="0" y="18">{escape(title)}</text>\n',
           f'<text class="note" x="0" y="37">{escape(note)}</text>\n']
    for tick in shown:
        out.append(f'<path class="grid" d="M{LEFT} {y(tick):.1f}H{WIDTH - RIGHT}"/>\n'
                   f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{seconds(tick)}</text>\n')
    for value in values:
        out.append(f'<text x="{x(value):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{value:,}</text>\n')
    out.append(f'<text class="note" x="{(LEFT + WIDTH - RIGHT) / 2:.1f}" y="{HEIGHT - 6}" '
               f'text-anchor="middle">{escape(axis)}</text>\n')
    for (name, points), end in zip(series, ends([y(points[-1][1].wall) for _, points in series])):
        mine = " mine" if points[0][1].is_recto else ""
        path = "L".join(f"{x(value):.1f} {y(entrant.wall):.1f}" for value, entrant in points)
        out.append(f'<path class="line{mine}" d="M{path}"/>\n')
        for value, entrant in points:
            out.append(f'<circle class="dot{mine}" cx="{x(value):.1f}" cy="{y(entrant.wall):.1f}" r="4"/>\n')
        out.append(f'<text x="{WIDTH - RIGHT + 10}" y="{end + 4:.1f}">{escape(name)}</text>\n')
    return "".join(out) + "</svg>\n"


def ends(heights, apart=16):
    """The heights of the names behind the lines, moved so that they do not overlap."""
    placed, last = list(heights), -math.inf
    for number in sorted(range(len(heights)), key=lambda number: heights[number]):
        placed[number] = last = max(heights[number], last + apart)
    return placed
