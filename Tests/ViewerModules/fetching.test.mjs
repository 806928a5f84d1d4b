import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { Fetches } = await load("fetching.js");

/** Answers of a server that waits to be told. */
class Answers {
  running = new Map();

  load = (address, { signal }) =>
    new Promise((resolve, reject) => {
      this.running.set(address, () => resolve(address));
      signal.addEventListener("abort", () => reject(signal.reason));
    });

  /** Fetches from this server. */
  fetches() {
    return new Fetches(this.load);
  }

  async finish(address) {
    this.running.get(address)();
    this.running.delete(address);
    for (let turn = 0; turn < 10; turn += 1) await null;
  }
}

const signal = () => new AbortController().signal;

test("at most four pictures are fetched at a time, in order", async () => {
  const answers = new Answers();
  const fetches = answers.fetches();
  const all = Array.from({ length: 10 }, (_, index) => fetches.load(`${index}`, signal()));
  const order = [];
  while (answers.running.size > 0) {
    assert.ok(answers.running.size <= 4);
    const [first] = answers.running.keys();
    order.push(first);
    await answers.finish(first);
  }
  assert.deepEqual(await Promise.all(all), order);
  assert.deepEqual(order, Array.from({ length: 10 }, (_, index) => `${index}`));
});

test("while pages pass by faster than their tiles come, these wait, and come when the reader rests", async () => {
  const answers = new Answers();
  const fetches = answers.fetches();
  for (let count = 0; count < 30; count += 1) fetches.took(0.16);
  fetches.move(3.3);
  const picture = fetches.load("picture", signal());
  assert.equal(answers.running.size, 0);
  fetches.move(1);
  assert.equal(answers.running.size, 1);
  await answers.finish("picture");
  assert.equal(await picture, "picture");
  // On a quick line they need not wait.
  for (let count = 0; count < 30; count += 1) fetches.took(0.01);
  fetches.move(7);
  fetches.load("other", signal());
  assert.equal(answers.running.size, 1);
});

test("a fetch that is not wanted any more is not begun", async () => {
  const answers = new Answers();
  const fetches = answers.fetches();
  fetches.move(1e9);
  const abort = new AbortController();
  const dropped = fetches.load("dropped", abort.signal);
  const kept = fetches.load("kept", signal());
  abort.abort();
  await assert.rejects(dropped);
  fetches.move(0);
  assert.deepEqual([...answers.running.keys()], ["kept"]);
  await answers.finish("kept");
  assert.equal(await kept, "kept");
});

test("a fetch that fails makes room for the next one", async () => {
  let count = 0;
  const fetches = new Fetches(async () => {
    if ((count += 1) <= 8) throw new Error("not found");
    return "picture";
  });
  const all = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => fetches.load(`${index}`, signal())));
  assert.deepEqual(all.map(({ status }) => status), [...Array(8).fill("rejected"), ...Array(4).fill("fulfilled")]);
});
