import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { load } from "./load.mjs";

const { stringIn, stringNames } = await load("strings.js");
const folder = new URL("../../Sources/RectoServer/Viewer/Files/", import.meta.url);
const files = readdirSync(folder).filter((name) => /\.(js|html)$/.test(name) && name !== "strings.js");
const source = files.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");

test("each string has words in both languages, with the same places for values", () => {
  const places = (text) => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const name of stringNames) {
    const values = new Proxy({}, { get: (_, key) => `{${key}}` });
    const [english, german] = [stringIn(0, name, values), stringIn(1, name, values)];
    assert.ok(english && german, name);
    assert.deepEqual(places(english), places(german), name);
  }
});

test("a value is put into its place as it is", () => {
  assert.equal(stringIn(0, "page", { page: "$&{page}" }), "Page $&{page}");
});

test("what pages and modules name is there, and nothing else", () => {
  const named = [...source.matchAll(/data-(?:text|title|label|hint)="(\w+)"/g), ...source.matchAll(/\bstring\("(\w+)"/g)];
  for (const [, name] of named) assert.ok(stringNames.includes(name), name);
  for (const name of stringNames) assert.match(source, new RegExp(`"${name}"`), name);
});
