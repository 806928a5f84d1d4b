import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { Zoom } = await load("zoom.js");
const { boundedFactor } = await load("zooming.js");

/** A stage of one page whose server replies when it is told to. Pages are laid out in the browser while `isLocal`. */
class Stage {
  viewport = { width: 100, height: 100 };
  scrolled = { x: 0, y: 0 };
  isLocal = false;
  fitted = 3.3;
  served = 1;
  zoom = new Zoom(this, { style: {} });
  #ahead = 0;
  #replies = [];

  constructor() {
    this.show(this.#scene(this.served));
  }

  #scene(zoom, isExpected) {
    return { zoom, isExpected, current: 1, spreads: [{ pages: [{ number: 1, scale: zoom * this.fitted }] }] };
  }

  get shown() {
    return this.scene.zoom;
  }

  expect(_, { factor }) {
    if (this.isLocal) this.show(this.#scene(this.shown * factor, true));
    return this.isLocal;
  }

  async ask(_, { factor }, isExpected) {
    if (isExpected) this.#ahead += 1;
    this.served *= factor;
    const reply = this.#scene(this.served);
    await new Promise((resolve) => this.#replies.push(resolve));
    if (isExpected) this.#ahead -= 1;
    return reply;
  }

  show(scene) {
    if (!scene.isExpected && (this.#ahead > 0 || this.zoom.isAhead)) return;
    this.scene = scene;
  }

  /** Sends the oldest reply. Returns whether there is one. */
  async reply() {
    const next = this.#replies.shift();
    next?.();
    for (let turn = 0; turn < 8; turn += 1) await null;
    return next !== undefined;
  }

  dispatchEvent() {}

  report(error) {
    throw error;
  }
}

/** Numbers from 0 to 1 that are the same in each run. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 48271 + 11) % 2147483647;
    return state / 2147483647;
  };
}

test("steps of the zoom keep its limits, whenever replies come and the layout in the browser is there", async () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const [random, stage] = [numbers(seed), new Stage()];
    let wanted = stage.fitted;
    let direction = 0.8;
    for (let step = 0; step < 120; step += 1) {
      if (random() < 0.03) direction = 1 / direction;
      if (random() < 0.1) stage.isLocal = !stage.isLocal;
      if (random() < 0.3) await stage.reply();
      wanted *= boundedFactor(direction, wanted);
      stage.zoom.by(direction, { x: 50, y: 50 });
    }
    while (await stage.reply());
    for (const scale of [stage.served * stage.fitted, stage.shown * stage.fitted]) {
      assert.ok(Math.abs(scale / wanted - 1) < 1e-9, `${seed}: ${scale}, wanted ${wanted}`);
    }
  }
});

test("no step leads to a zoom at which a layout shows no pages", async () => {
  const stage = new Stage();
  stage.fitted = 40;
  stage.show({ ...stage.scene, spreads: [{ pages: [{ number: 1, scale: 40 }] }] });
  for (let step = 0; step < 60; step += 1) {
    stage.zoom.by(0.8);
    await stage.reply();
  }
  assert.ok(stage.served >= 0.01 && stage.served < 0.0102, `${stage.served}`);
});
