import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { quadBox } = await load("quads.js");

test("a rectangle that is turned about its top left corner is found again", () => {
  for (let angle = -179; angle < 180; angle += 7) {
    const [sine, cosine] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
    const at = (x, y) => ({ x: 30 + x * cosine - y * sine, y: 40 + x * sine + y * cosine });
    const box = quadBox([at(0, 0), at(70, 0), at(70, 12), at(0, 12)]);
    const expected = { left: 30, top: 40, width: 70, height: 12, angle };
    for (const [name, value] of Object.entries(expected)) {
      assert.ok(Math.abs(box[name] - value) < 1e-9, `${angle}: ${name} ${box[name]}`);
    }
  }
});
