// Puts extreme numbers into cases, one a line of standard input, and asks for everything: the engine may refuse them, and
// must not end. node hostile.mjs DIRECTORY [ROUNDS]

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";

const [directory, rounds] = [resolve(process.argv[2]), Number(process.argv[3] ?? 10)];
const { loadPageLayout, LayoutError } = await import(`${directory}/pagelayout.js`);
const module = await WebAssembly.compile(await readFile(`${directory}/pagelayout.wasm`));
const cases = (await text(process.stdin)).trim().split("\n").map((line) => JSON.parse(line));

// The same numbers in every run.
let state = 1;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}
const extremes = [
  NaN, Infinity, -Infinity, 0, -0, -1, 1, 0.1, 1e-300, 1e9, 1e10, 1e300, 2 ** 24, 2 ** 24 - 1, 2 ** 30, 2 ** 31, -(2 ** 31),
  2 ** 32, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE, 9999, 10_000, 14_400 * 75_000,
];

/** The value with some numbers replaced. */
function changed(value, share) {
  if (typeof value === "number") return random() < share ? extremes[Math.floor(random() * extremes.length)] : value;
  if (Array.isArray(value)) return value.map((element) => changed(element, share));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, changed(member, share)]));
}

let [asked, refused] = [0, 0];
/** What a function gives; undefined if it refuses. */
function attempt(body) {
  asked += 1;
  try {
    return body();
  } catch (error) {
    if (!(error instanceof LayoutError)) throw error;
    refused += 1;
    return undefined;
  }
}

let engine = await loadPageLayout(module);
for (let round = 0; round < rounds; round += 1) {
  for (const { seed, document, steps } of cases) {
    const share = [0.01, 0.05, 0.3][Math.floor(random() * 3)];
    const hostile = changed(document, share);
    const taken = [];
    try {
      const first = attempt(() => engine.Viewpoint.of(hostile));
      if (!first) continue;
      let viewpoint = first;
      for (const { function: name, arguments: values } of steps) {
        const others = changed(values, share);
        taken.push([name, others]);
        const found = attempt(() => viewpoint[name](...others));
        viewpoint = found?.viewpoint ?? found ?? viewpoint;
      }
      const [point, rect] = [changed({ x: 10, y: 10 }, 0.5), changed({ x: 0, y: 0, width: 500, height: 500 }, 0.5)];
      for (const window of [undefined, rect]) {
        attempt(() => viewpoint.spreads(window));
        attempt(() => viewpoint.spread(changed(0, 0.5), window));
        attempt(() => viewpoint.pageAt(point, window));
        attempt(() => viewpoint.unmeasuredPages(window));
        attempt(() => viewpoint.unmeasuredPagesInside(window));
      }
      const anchor = attempt(() => viewpoint.anchor(point, { x: rect.x, y: rect.y }));
      if (anchor) attempt(() => viewpoint.offsetOfAnchor(changed(anchor, 0.3), point));
      if (viewpoint.place) attempt(() => viewpoint.showingPlace(changed(viewpoint.place, 0.3)));
      attempt(() => viewpoint.spreadOfPage(changed(0, 0.5)));
      attempt(() => viewpoint.offsetOfPage(changed(0, 0.5), changed(0, 0.5)));
      attempt(() => viewpoint.spreadStop("backward"));
      attempt(() => viewpoint.screenStop("forward", changed(0, 0.5)));
      attempt(() => viewpoint.invalidationSince(first));
      attempt(() => first.transition(viewpoint).at(changed(0.5, 0.5)));
    } catch (error) {
      console.error(`round ${round}, case ${seed}: ${error.stack}\n${JSON.stringify([hostile, taken], (key, value) =>
        typeof value === "number" && !Number.isFinite(value) ? String(value) : value)}`);
      process.exit(1);
    }
  }
  engine = await loadPageLayout(module);
}
console.log(`${asked} requests with extreme numbers, ${refused} refused`);
