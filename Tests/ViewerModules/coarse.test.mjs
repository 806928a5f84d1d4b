import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { picturesOnSheet, wantedSheets } = await load("coarse.js");

/** A sheet as the server sends it. */
function sheet(...pictures) {
  const parts = pictures.flatMap((picture) => [0, 0, picture.length >> 8, picture.length & 255, ...picture]);
  return new Uint8Array(parts).buffer;
}

test("a sheet has the picture of each page, and nothing of a page that could not be drawn", () => {
  const long = new Array(300).fill(7);
  const pictures = picturesOnSheet(sheet([1, 2, 3], [], long), 65);
  assert.deepEqual([...pictures.keys()], [65, 66, 67]);
  assert.deepEqual([...new Uint8Array(pictures.get(65))], [1, 2, 3]);
  assert.equal(pictures.get(66), null);
  assert.deepEqual([...new Uint8Array(pictures.get(67))], long);
  assert.equal(picturesOnSheet(new ArrayBuffer(0), 1).size, 0);
});

test("sheets of visible pages come first, then those ahead of the reader, then those behind", () => {
  // A page of a continuous layout.
  assert.deepEqual(wantedSheets([5], 1, 16_000), [0]);
  assert.deepEqual(wantedSheets([50], 1, 16_000), [0, 1]);
  assert.deepEqual(wantedSheets([66], 1, 16_000), [1, 0]);
  assert.deepEqual(wantedSheets([66], -1, 16_000), [1, 0]);
  // A grid of forty pages.
  const grid = (first) => Array.from({ length: 40 }, (_, index) => first + index);
  assert.deepEqual(wantedSheets(grid(641), 1, 16_000), [10, 11, 12, 13, 9]);
  assert.deepEqual(wantedSheets(grid(641), -1, 16_000), [10, 9, 8, 7, 11]);
});

test("no sheet is wanted before the first page or after the last one, and never more than are kept", () => {
  assert.deepEqual(wantedSheets([1, 2], -1, 2), [0]);
  assert.deepEqual(wantedSheets([16_000], 1, 16_000), [249]);
  assert.deepEqual(wantedSheets([], 1, 100), []);
  const all = Array.from({ length: 16_000 }, (_, index) => 1 + index);
  assert.equal(wantedSheets(all, 1, 16_000).length, 32);
});
