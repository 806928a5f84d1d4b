// Where spreads lie that no scene has told of yet: beside the known ones, if these are regular. A scene that comes later
// is right.

/** Spreads that are remembered. */
const memory = 500;
/** The most spreads from a scene that are expected, in each direction. */
export const farthest = 64;

/** The spreads of one geometry. */
export class ExpectedSpreads {
  #geometry = null;
  #known = new Map();

  /** Takes a scene. */
  take({ geometry, spreads }) {
    if (geometry !== this.#geometry) this.#known.clear();
    this.#geometry = geometry;
    for (const { index, frame, pages } of spreads) {
      this.#known.delete(index);
      this.#known.set(index, { index, frame, pages: pages.map(withoutTiles) });
    }
    while (this.#known.size > memory) this.#known.delete(this.#known.keys().next().value);
  }

  /**
   * The spreads of a scene, and those that are expected in a window of the content, in order.
   * `axis`: where spreads follow each other; `pageCount`: the last page.
   */
  within(window, scene, axis, pageCount) {
    const { spreads } = scene;
    if (spreads.length === 0 || scene.turn) return spreads;
    const [start, length] = axis === "horizontal" ? ["x", "width"] : ["y", "height"];
    const found = new Map(spreads.map((spread) => [spread.index, spread]));
    const at = (index) => found.get(index) ?? this.#known.get(index);
    const [windowStart, windowEnd] = [window[start], window[start] + window[length]];
    const side = (from, step, isInside) => {
      const row = rowLength(from, -step, at, start);
      for (let index = from + step; Math.abs(index - from) <= farthest; index += step) {
        const next = at(index) ?? neighbor(index, -step * row, at, { start, length, pageCount });
        if (!next || !isInside(next.frame)) return;
        found.set(index, next);
      }
    };
    // Right to left, later spreads have smaller coordinates.
    const [first, last] = [spreads[0], spreads.at(-1)];
    const isReversed = last.frame[start] < first.frame[start];
    const isBeforeEnd = (frame) => frame[start] < windowEnd;
    const isAfterStart = (frame) => frame[start] + frame[length] > windowStart;
    side(last.index, 1, isReversed ? isAfterStart : isBeforeEnd);
    side(first.index, -1, isReversed ? isBeforeEnd : isAfterStart);
    return [...found.values()].sort((one, other) => one.index - other.index);
  }
}

/** A page as it is placed, without what belongs to the tiles. */
function withoutTiles({ index, number, label, frame, size, rotation, scale }) {
  return { index, number, label, frame, size, rotation, scale, fraction: 0 };
}

/** The spread of an index from those one and two rows away; null if these are irregular. */
function neighbor(index, row, at, { start, length, pageCount }) {
  const [near, far] = [at(index + row), at(index + 2 * row)];
  if (row === 0 || !near || !far || near.pages.length !== far.pages.length || near.pages.length === 0) return null;
  const pages = near.pages[0].number - far.pages[0].number;
  if (pages !== -row * near.pages.length) return null;
  const [lower, upper] = near.frame[start] < far.frame[start] ? [near, far] : [far, near];
  const gap = upper.frame[start] - lower.frame[start] - lower.frame[length];
  const distance = Math.sign(near.frame[start] - far.frame[start]) * (near.frame[length] + gap);
  const shifted = (frame) => ({ ...frame, [start]: frame[start] + distance });
  const expected = near.pages.map((page) => ({
    ...withoutTiles(page),
    index: page.index + pages,
    number: page.number + pages,
    label: undefined,
    frame: shifted(page.frame),
  }));
  if (expected.some(({ number }) => number < 1 || number > pageCount)) return null;
  return { index, frame: shifted(near.frame), pages: expected };
}

/** The number of spreads side by side, where one of them is known; 0 if the row next to it is not. */
function rowLength(index, direction, at, start) {
  const place = at(index).frame[start];
  let count = 1;
  while (at(index + direction * count) && Math.abs(at(index + direction * count).frame[start] - place) < 0.5) count += 1;
  return at(index + direction * count) ? count : 0;
}
