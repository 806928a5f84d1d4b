// Compares answers of the layout engine in WebAssembly with those in cases, one a line of standard input:
// node compare.mjs DIRECTORY, which has pagelayout.js and pagelayout.wasm.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const directory = resolve(process.argv[2]);
const { loadPageLayout, LayoutError } = await import(`${directory}/pagelayout.js`);
const { Viewpoint } = await loadPageLayout(await readFile(`${directory}/pagelayout.wasm`));

const point = (value) => value && [value.x, value.y];
const size = ({ width, height }) => [width, height];
const rect = (value) => value && [...point(value), ...size(value)];
const range = ({ start, end }) => [start, end];
const anchor = (value) => value && [value.page, value.occurrence, value.x, value.y];

const invalidation = (value) => ({
  changed: value.changed.map(range),
  displaced: value.displaced.map(({ spreads, distance }) => ({ spreads: range(spreads), distance: point(distance) })),
  contentSizeAdjustment: size(value.contentSizeAdjustment),
  offsetAdjustment: point(value.offsetAdjustment),
});
const changes = ({ inserted, removed, kept }) => ({
  inserted: inserted.map(range),
  removed: removed.map(range),
  kept: kept.map((stretch) => ({ old: range(stretch.old), new: range(stretch.new) })),
});
const page = ({ page, position, frame, clip, size: natural, scale, isMeasured, isExact }) => ({
  page, position, frame: rect(frame), clip: rect(clip), size: size(natural), scale, isMeasured, isExact,
});
const place = (value) => value && {
  anchor: anchor(value.anchor),
  point: point(value.point),
  current: [value.current.page, value.current.occurrence],
  progress: value.progress,
};

/** Takes the steps of a case; returns the last viewpoint, and what the steps say in the form of the case. */
function taken(first, steps) {
  let viewpoint = first;
  const said = steps.map(({ function: name, arguments: values }) => {
    const step = { function: name, arguments: values };
    let found;
    try {
      found = viewpoint[name](...values);
    } catch (error) {
      if (!(error instanceof LayoutError)) throw error;
      return { ...step, error: error.message };
    }
    if (found === undefined) return { ...step, isRefused: true };
    viewpoint = found.viewpoint ?? found;
    if (found === viewpoint) return step;
    if (found.changes) step.changes = changes(found.changes);
    return { ...step, invalidation: invalidation(found.invalidation) };
  });
  return { viewpoint, said };
}

/** The answers in the form of the case, whose random questions are in it. */
function answers(first, viewpoint, asked) {
  const [x, y] = asked.point;
  const content = { x: viewpoint.offset.x + x, y: viewpoint.offset.y + y };
  const hit = viewpoint.pageAt(content);
  const found = viewpoint.anchor({ x, y });
  const spreads = viewpoint.spreads();
  const transition = first.transition(viewpoint);
  const moment = transition.at(asked.progress);
  return {
    offset: point(viewpoint.offset),
    viewport: size(viewpoint.viewport),
    contentSize: size(viewpoint.contentSize),
    spreadCount: viewpoint.spreadCount,
    positionCount: viewpoint.positionCount,
    isContentExact: viewpoint.isContentExact,
    zoom: viewpoint.zoom,
    rotation: viewpoint.rotation,
    currentPage: viewpoint.currentPage,
    restingSpread: viewpoint.restingSpread,
    isAtRest: viewpoint.isAtRest,
    place: place(viewpoint.place),
    visibleSpreads: spreads.length,
    spreads: (spreads.length > 3 ? [...spreads.slice(0, 2), ...spreads.slice(-1)] : spreads).map((spread) => ({
      index: spread.index, frame: rect(spread.frame), cell: rect(spread.cell), isExact: spread.isExact,
      isPinned: spread.isPinned, pages: spread.pages.map(page),
    })),
    unmeasured: viewpoint.unmeasuredPages().map(range),
    unmeasuredInside: viewpoint.unmeasuredPagesInside().map(range),
    point: asked.point,
    hit: hit && { page: hit.page.page, point: point(hit.point) },
    anchor: anchor(found),
    offsetOfAnchor: found && point(viewpoint.offsetOfAnchor(found, { x, y })),
    page: asked.page,
    spreadOfPage: viewpoint.spreadOfPage(asked.page),
    offsetOfPage: point(viewpoint.offsetOfPage(asked.page, 0.25)),
    nextSpread: point(viewpoint.spreadStop("forward")),
    previousScreen: point(viewpoint.screenStop("backward")),
    invalidation: invalidation(viewpoint.invalidationSince(first)),
    progress: asked.progress,
    transition: {
      pivot: [point(transition.pivot.start), point(transition.pivot.end)],
      angle: [transition.angle.start, transition.angle.end],
      motions: transition.motions.length,
      viewport: size(moment.viewport),
      visiblePages: moment.pages.length,
      pages: moment.pages.slice(-2).map((moving) => ({
        page: moving.page, position: moving.position, frame: rect(moving.frame), size: size(moving.size),
        angle: moving.angle, clip: rect(moving.clip), opacity: moving.opacity,
      })),
    },
  };
}

/** The first difference of two values as text; undefined if there is none. -0 and 0 differ. */
function difference(found, expected, path) {
  if (Object.is(found, expected)) return undefined;
  if (typeof found !== "object" || typeof expected !== "object" || found === null || expected === null) {
    return `${path}: expected ${expected}, found ${found}`;
  }
  for (const key of new Set([...Object.keys(found), ...Object.keys(expected)])) {
    const text = difference(found[key], expected[key], `${path}.${key}`);
    if (text) return text;
  }
  return undefined;
}

let [cases, failures] = [0, 0];
for await (const line of createInterface({ input: process.stdin })) {
  const { seed, document, steps, answers: expected } = JSON.parse(line);
  cases += 1;
  let text;
  try {
    const first = Viewpoint.of(document);
    const { viewpoint, said } = taken(first, steps);
    text = difference(said, steps, "steps") ?? difference(answers(first, viewpoint, expected), expected, "answers");
  } catch (error) {
    text = error.message;
  }
  if (!text) continue;
  failures += 1;
  if (failures <= 10) console.error(`case ${seed}: ${text}`);
}
console.log(`${cases} cases, ${failures} with a difference`);
process.exit(cases > 0 && failures === 0 ? 0 : 1);
