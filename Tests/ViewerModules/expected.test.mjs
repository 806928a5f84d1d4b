import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { ExpectedSpreads } = await load("expected.js");

const page = (number, frame) => ({ index: number - 1, number, label: `p${number}`, frame, size: frame, rotation: 0, scale: 1 });

/** A list of spreads below each other. */
function list(from, to, { height = () => 100, pages = 1, top = 0 } = {}) {
  const spreads = [];
  let y = top;
  for (let index = from; index < to; index += 1) {
    const frame = { x: 10, y, width: 80 * pages, height: height(index) };
    const shown = Array.from({ length: pages }, (_, side) =>
      page(index * pages + side + 1, { ...frame, x: 10 + 80 * side, width: 80 }),
    );
    spreads.push({ index, frame, pages: shown });
    y += height(index) + 10;
  }
  return spreads;
}

const window = (y, height) => ({ x: 0, y, width: 200, height });

function expect(spreads, wanted, { axis = "vertical", pageCount = 1000, geometry = 1 } = {}) {
  const expected = new ExpectedSpreads();
  expected.take({ geometry, spreads });
  return expected.within(wanted, { geometry, spreads }, axis, pageCount);
}

test("pages of one size are expected where they are", () => {
  for (const pages of [1, 2]) {
    const all = list(0, 40, { pages });
    const found = expect(all.slice(10, 14), window(0, 4000), { pageCount: 40 * pages });
    assert.deepEqual(found.map(({ index }) => index), all.slice(0, 37).map(({ index }) => index));
    for (const { index, frame, pages } of found) {
      assert.deepEqual(frame, all[index].frame);
      assert.deepEqual(pages.map(({ number, frame }) => [number, frame]), all[index].pages.map(({ number, frame }) => [number, frame]));
    }
  }
});

test("rows of a grid are expected where they are", () => {
  const all = Array.from({ length: 60 }, (_, index) => {
    const frame = { x: 50 * (index % 4), y: 70 * Math.floor(index / 4), width: 40, height: 60 };
    return { index, frame, pages: [page(index + 1, frame)] };
  });
  const found = expect(all.slice(20, 32), window(0, 1000), { pageCount: 60 });
  assert.deepEqual(found.map(({ frame }) => frame), all.slice(0, 60).map(({ frame }) => frame));
});

test("nothing is expected before the first page, behind the last one, and outside of the window", () => {
  const all = list(0, 12);
  assert.equal(expect(all.slice(2, 5), window(-9000, 18000), { pageCount: 12 }).length, 12);
  assert.equal(expect(all.slice(2, 5), window(250, 200)).length, 3);
  assert.deepEqual(expect([], window(0, 100)), []);
});

test("a spread is expected only beside two with successive pages", () => {
  const [one, , three] = list(0, 3);
  assert.equal(expect([one], window(0, 5000)).length, 1);
  assert.equal(expect([one, { ...three, index: 1 }], window(0, 5000)).length, 2);
  const cover = [list(0, 1)[0], { index: 1, frame: { x: 10, y: 110, width: 160, height: 100 }, pages: [page(2, {}), page(3, {})] }];
  assert.equal(expect(cover, window(0, 5000)).length, 2);
});

test("spreads of earlier scenes are remembered until the geometry changes", () => {
  const all = list(0, 30, { height: (index) => 50 + 13 * (index % 5) });
  const expected = new ExpectedSpreads();
  for (let index = 0; index < 27; index += 1) expected.take({ geometry: 1, spreads: all.slice(index, index + 3) });
  const back = expected.within(window(0, 3000), { geometry: 1, spreads: all.slice(26, 29) }, "vertical", 30);
  for (const { index, frame } of back.slice(0, 29)) assert.deepEqual(frame, all[index].frame);
  const moved = list(20, 23, { top: 5000 });
  expected.take({ geometry: 2, spreads: moved });
  const after = expected.within(window(4000, 1100), { geometry: 2, spreads: moved }, "vertical", 30);
  assert.ok(after.every(({ frame }) => frame.y >= 3890));
});

test("horizontal lists are read in both directions", () => {
  const frame = (index, sign) => ({ x: 1000 + sign * 50 * index, y: 0, width: 40, height: 60 });
  for (const sign of [1, -1]) {
    const spreads = [5, 6, 7].map((index) => ({ index, frame: frame(index, sign), pages: [page(index + 1, frame(index, sign))] }));
    const wanted = { x: 0, y: 0, width: 2000, height: 100 };
    const found = expect(spreads, wanted, { axis: "horizontal", pageCount: 15 });
    assert.deepEqual(found.map(({ index }) => index), Array.from({ length: 15 }, (_, index) => index));
    for (const { index, frame: place } of found) assert.deepEqual(place, frame(index, sign));
  }
});
