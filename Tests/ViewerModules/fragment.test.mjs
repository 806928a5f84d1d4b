import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { optionNames, readFragment } = await load("fragment.js");

const right = "page=iv&at=0.25&mode=paged&spread=book&axis=horizontal&fit=page&fitScope=document&match=height&rtl=true" +
  "&rotate=90&zoom=1.5";
const layout = {
  mode: "paged", spread: "book", axis: "horizontal", fit: "page", fitScope: "document", match: "height", rtl: true,
  rotate: 90, zoom: 1.5,
};
const wrong = [
  "", " ", "__proto__", "valueOf", "toString", "constructor", "hasOwnProperty", "0", "-1", "1e308", "1e309", "NaN",
  "Infinity", "-Infinity", "null", "undefined", "[object Object]", "TRUE", "Paged", "45", "0x10", "\0", "\u202e",
  "9".repeat(400),
];

test("a fragment is a place and a layout", () => {
  assert.deepEqual(readFragment(right), { place: { page: "iv", fraction: 0.25 }, layout });
  assert.deepEqual(readFragment(""), { place: { page: null, fraction: 0 }, layout: {} });
});

test("a wrong member is ignored, and the others are used", () => {
  for (const name of [...optionNames, "zoom", "at", "other"]) {
    for (const value of wrong) {
      const members = new URLSearchParams(right);
      members.set(name, value);
      const found = readFragment(String(members));
      const expected = { place: { page: "iv", fraction: 0.25 }, layout: { ...layout } };
      if (name === "at") {
        const fraction = Number(value);
        expected.place.fraction = value.trim() !== "" && Number.isFinite(fraction) ? fraction : 0;
      } else if (name === "rotate" && value === "0") {
        expected.layout.rotate = 0;
      } else if (name === "zoom" && value === "45") {
        expected.layout.zoom = 45;
      } else if (name === "zoom" && value === "0x10") {
        expected.layout.zoom = 16;
      } else {
        delete expected.layout[name];
      }
      assert.deepEqual(found, expected, `${name}=${value}`);
    }
  }
});

test("a page that can be no label is ignored", () => {
  for (const page of ["\0", "a\0b", "x".repeat(1001)]) {
    const members = new URLSearchParams(right);
    members.set("page", page);
    assert.deepEqual(readFragment(String(members)), { place: { page: null, fraction: 0.25 }, layout });
  }
});

test("a page can be named by its number", () => {
  assert.deepEqual(readFragment("number=12&at=0.5").place, { page: null, number: 12, fraction: 0.5 });
  for (const number of ["0", "-1", "1.5", "1e300", "x", ""]) {
    assert.equal(readFragment(`number=${number}`).place.number, undefined, number);
  }
});
