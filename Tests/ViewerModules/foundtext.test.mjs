import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { hitsOf } = await load("foundtext.js");

test("a hit has its page, its place and the text around it", () => {
  const canvas = "http://host/iiif/presentation/3/a/canvas/12";
  const answer = {
    items: [
      { id: "one", body: { value: "page" }, target: `${canvas}#xywh=10,20,30,40` },
      { id: "two", body: { value: "Page" }, target: { source: canvas, selector: { type: "SvgSelector" } } },
    ],
    annotations: [{
      items: [{ target: { source: "one", selector: [{ prefix: "the ", exact: "page", suffix: " turns" }] } }],
    }],
  };
  assert.deepEqual(hitsOf(answer), [
    { page: 12, box: { x: 10, y: 20, width: 30, height: 40 }, before: "the ", match: "page", after: " turns" },
    { page: 12, box: null, before: "", match: "Page", after: "" },
  ]);
  assert.deepEqual(hitsOf({}), []);
});
