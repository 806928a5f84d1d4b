import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { OutlineTree } = await load("outlinetree.js");

/** Numbers that look random, and are the same each time. */
function generator(seed) {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

function items(random, depth) {
  return Array.from({ length: random(5) }, () => ({
    title: String(random(1000)),
    open: [true, false, undefined][random(3)],
    children: depth > 0 && random(2) === 0 ? items(random, depth - 1) : undefined,
  }));
}

/** The rows, found anew. */
function plain(list, open, level = 1) {
  return list.flatMap((item, index) => [
    { item, level, place: index + 1, count: list.length },
    ...(open.has(item) ? plain(item.children, open, level + 1) : []),
  ]);
}

function everything(list) {
  return list.flatMap((item) => [item, ...everything(item.children ?? [])]);
}

test("rows are those of the entries whose entries above are open, whatever is opened and closed", () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const random = generator(seed);
    const list = items(random, 4);
    const open = new Set(everything(list).filter((item) => item.open === true && item.children?.length > 0));
    const tree = new OutlineTree(list);
    for (let step = 0; step < 30; step += 1) {
      assert.deepEqual(tree.rows, plain(list, open));
      if (tree.rows.length === 0) break;
      const index = random(tree.rows.length);
      const { item, level } = tree.rows[index];
      const above = tree.parent(index);
      if (level === 1) assert.equal(above, -1);
      else assert.ok(tree.rows[above].item.children.includes(item));
      const changes = tree.toggle(index);
      assert.equal(changes, (item.children?.length ?? 0) > 0);
      if (changes && !open.delete(item)) open.add(item);
    }
  }
});

test("a long outline and a deep one have rows", () => {
  const long = Array.from({ length: 100_000 }, () => ({ title: "", open: true, children: [{ title: "" }] }));
  assert.equal(new OutlineTree(long).rows.length, 200_000);
  let deep = [{ title: "" }];
  for (let level = 0; level < 100_000; level += 1) deep = [{ title: "", open: true, children: deep }];
  assert.equal(new OutlineTree(deep).rows.at(-1).level, 100_001);
});
