import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { automaticZoom, boundedFactor, largestScale, measuredScale, shownScale, smallestScale, wheelFactor } = await load("zooming.js");

test("no number of steps zooms beyond 6,400 %", () => {
  for (const start of [1e-4, 0.3, 1, 63.9, 64]) {
    let scale = start;
    for (let step = 0; step < 200; step += 1) scale *= boundedFactor(1.25, scale);
    assert.ok(scale > 63.999 && scale < largestScale * (1 + 1e-12), `${start}: ${scale}`);
  }
});

test("no number of steps zooms below 10 %", () => {
  for (const start of [64, 1, 0.11, 0.1]) {
    let scale = start;
    for (let step = 0; step < 200; step += 1) scale *= boundedFactor(0.8, scale);
    assert.ok(scale < 0.1001 && scale > smallestScale * (1 - 1e-12), `${start}: ${scale}`);
  }
  // One that is fitted at less can be made larger, and not smaller.
  assert.equal(boundedFactor(0.8, 0.01), 1);
  assert.equal(boundedFactor(1.25, 0.01), 1.25);
});

test("a page that is fitted at more than that can be made smaller, and not larger", () => {
  assert.equal(boundedFactor(1.25, 1000), 1);
  assert.equal(boundedFactor(0.8, 1000), 0.8);
});

test("a factor that is none changes nothing", () => {
  for (const factor of [0, -1, NaN, Infinity, -Infinity]) assert.equal(boundedFactor(factor, 1), 1);
  assert.equal(boundedFactor(2, 0), 1);
});

test("a step of the wheel zooms by a quarter at most, and back", () => {
  for (const pixels of [1, 10, 53, 100, 120, 1000, 1e9]) {
    const [smaller, larger] = [wheelFactor(pixels), wheelFactor(-pixels)];
    assert.ok(larger > 1 && larger <= 1.25, `${pixels}: ${larger}`);
    assert.ok(Math.abs(smaller * larger - 1) < 1e-12);
  }
  assert.equal(wheelFactor(0), 1);
});

test("the scale that is shown is that of the current page", () => {
  const pages = [{ number: 1, scale: 2 }, { number: 2, scale: 3 }];
  assert.equal(shownScale({ spreads: [{ pages }], current: 2, zoom: 1 }), 3);
  assert.equal(shownScale({ spreads: [{ pages }], current: 2, zoom: 1 }, 1), 2);
  assert.equal(shownScale({ spreads: [{ pages }], current: 7, zoom: 1 }), 2);
  assert.equal(shownScale({ spreads: [], current: undefined, zoom: 1.5 }), 1.5);
});

test("a page is at most a quarter larger than its size, and a wide one is shown whole", () => {
  const scene = (width, height, scale, zoom = 1) => ({
    spreads: [{ pages: [{ number: 1, scale, frame: { width: width * scale, height: height * scale } }] }],
    current: 1,
    zoom,
  });
  assert.deepEqual(automaticZoom(scene(400, 600, 3)), { fit: "width", zoom: 1.25 / 3 });
  assert.deepEqual(automaticZoom(scene(400, 600, 0.6)), { fit: "width", zoom: 1 });
  assert.deepEqual(automaticZoom(scene(600, 400, 2)), { fit: "page", zoom: 1 });
  // What the scene was zoomed by does not matter.
  assert.deepEqual(automaticZoom(scene(400, 600, 1.5, 0.5)), { fit: "width", zoom: 1.25 / 3 });
  assert.deepEqual(automaticZoom({ spreads: [], current: undefined, zoom: 1 }), { fit: "width", zoom: 1 });
});

test("a scale that is measured is not rounded as the one in a scene, whichever way the page is turned", () => {
  for (const [width, height] of [[18.451037, 26.180516], [26.180516, 18.451037]]) {
    const page = { number: 1, scale: 0.04398, frame: { width, height }, size: { width: 419.528, height: 595.276 } };
    const scale = measuredScale({ spreads: [{ pages: [page] }], current: 1, zoom: 1 });
    assert.ok(Math.abs(scale - 0.0439804662) < 1e-9, `${scale}`);
  }
  const pages = [{ number: 1, scale: 2 }];
  assert.equal(measuredScale({ spreads: [{ pages }], current: 1, zoom: 1 }), 2);
  assert.equal(measuredScale({ spreads: [], current: undefined, zoom: 1.5 }), 1.5);
});
