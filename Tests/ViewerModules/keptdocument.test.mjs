import assert from "node:assert/strict";
import test from "node:test";
import { hasEngine, load } from "./load.mjs";

const { DocumentRecord, KeptConversation, rastersAt } = await load("keptdocument.js");

const info = { path: "mixed-sizes.pdf", pages: 4, tileSize: 512, thumbnails: "/thumbnails/a/v/{size}/{page}.png" };
// The document of the example in docs/SERVE.md.
const pages = [[1, "1", 595.276, 841.89], [2, "2", 841.89, 595.276], [3, "3", 612, 792], [4, "4", 1190.551, 841.89]];
const options = { skip: !hasEngine };
const viewport = { width: 400, height: 300 };
const near = (one, other) => assert.ok(Math.abs(one - other) < 1e-3, `${one} is not ${other}`);

async function opened(rasters = new Map()) {
  const conversation = new KeptConversation({ info, pages }, rasters);
  assert.ok(await conversation.prepare());
  return [conversation, conversation.reply("open", { layout: { fit: "width" }, viewport, scale: 2 })];
}

test("pages are where the server places them", options, async () => {
  const [conversation, first] = await opened();
  near(first.content.height, 1616.594439);
  near(first.spreads[0].frame.height, 537.428353);
  assert.equal(first.current, 1);
  const scene = conversation.reply("view", { anchor: { page: 3, fraction: 0.5 } });
  near(scene.viewport.y, 1081.997684);
  assert.deepEqual(scene.spreads.map((spread) => spread.index), [2, 3]);
  near(scene.spreads[0].frame.y, 836.115331);
  near(scene.spreads[1].pages[0].scale, 0.31918);
  near(scene.spreads[1].pages[0].fraction, 0.16418);
  near(scene.anchor.fraction, 0.5);
  assert.equal(scene.current, 3);
});

test("a zoom keeps the point that it is about, and a viewport keeps the place", options, async () => {
  const [conversation] = await opened();
  const before = conversation.reply("view", { anchor: { page: 3, fraction: 0.5 } });
  const at = ({ viewport, spreads }) => (viewport.y + 150 - spreads[0].frame.y) / spreads[0].frame.height;
  const after = conversation.reply("zoom", { factor: 2, about: { x: 200, y: 150 } });
  near(at(after), at(before));
  near(after.viewport.x, 190);
  const resized = conversation.reply("view", { viewport: { width: 500, height: 300 } });
  near(at(resized), at(before));
});

test("a page has the tiles of the scale that is nearest to the wanted one", options, async () => {
  const address = (scale, size, rest) => `http://host/x/tiles/a/v/1/${scale}x/${size}/${rest}.png`;
  const rasters = rastersAt([
    address(1.27, "760x1075", "0/512/1_2"),
    address(5, "2976x4209", "0/512/0_0"),
    address(1.27, "1075x760", "90/512/0_0"),
    "http://host/x/tiles/a/v/1/nonsense.png",
  ]);
  const [conversation, scene] = await opened(rasters);
  const tiles = conversation.tiles(scene);
  assert.deepEqual(tiles.map(({ page, column, row, pixels }) => ({ page, column, row, pixels })), [
    { page: 1, column: 1, row: 2, pixels: { x: 512, y: 1024, width: 248, height: 51 } },
  ]);
  assert.deepEqual(scene.spreads[0].pages[0].raster, { width: 760, height: 1075, rotation: 0 });
  const turned = conversation.reply("layout", { layout: { rotate: 90 } });
  assert.deepEqual(turned.spreads[0].pages[0].raster, { width: 1075, height: 760, rotation: 90 });
});

test("every arrangement of pages can be read", options, async () => {
  const [conversation] = await opened();
  const grid = conversation.reply("layout", { layout: { mode: "grid", axis: null, fit: "none", zoom: 0.3 } });
  assert.deepEqual([grid.layout.mode, grid.layout.axis, grid.layout.zoom], ["grid", "vertical", 0.3]);
  assert.ok(grid.spreads[0].frame.x + grid.spreads[0].frame.width <= grid.spreads[1].frame.x);
  const paged = conversation.reply("layout", { layout: { mode: "paged", spread: "double", axis: "horizontal", fit: "page", zoom: 1 } });
  assert.equal(paged.spreads[0].pages.length, 2);
  const next = conversation.reply("view", { spread: 1 });
  assert.deepEqual([next.current, next.spreads[0].pages[0].label], [3, "3"]);
  const zoomed = conversation.reply("zoom", { factor: 2, about: { x: 200, y: 150 } });
  near(zoomed.spreads[0].pages[0].scale, 2 * next.spreads[0].pages[0].scale);
  assert.equal(conversation.reply("view", { spread: 0, progress: 0.4 }).current, 1);
});

test("any request is answered, and never beside the document", options, async () => {
  const [conversation] = await opened();
  for (const offset of [{ x: -1e9, y: -1e9 }, { x: 1e9, y: 1e9 }]) {
    const { viewport, content, spreads } = conversation.reply("view", { offset, overscan: { top: 1e9, bottom: 1e9 } });
    assert.ok(viewport.y >= 0 && viewport.y <= content.height - viewport.height && viewport.x === 0);
    assert.equal(spreads.length, 4);
  }
  assert.equal(conversation.reply("view", { spread: 99 }).current, 4);
  assert.equal(conversation.reply("search", { words: "page" }), null);
  assert.deepEqual(conversation.reply("pages", { label: "3" }), { pages: [{ number: 3, label: "3" }] });
  assert.deepEqual(conversation.reply("pages", { first: 2, count: 2 }).pages.length, 2);
  assert.deepEqual(conversation.reply("pages", { label: "iv" }), { pages: [] });
});

test("a record has the pages of one version, also those of an earlier visit", () => {
  const scene = (...numbers) => ({
    spreads: [{ pages: numbers.map((number) => ({ number, label: `${number}`, size: { width: 1, height: 2 } })) }],
  });
  const record = new DocumentRecord();
  assert.equal(record.take({ ...scene(1) }), false);
  assert.equal(record.take({ ...info, ...scene(2) }), true);
  assert.equal(record.take(scene(2)), false);
  record.restore({ info, pages: [[3, "iii", 5, 6]] });
  assert.deepEqual(record.value.pages, [[1, "1", 1, 2], [2, "2", 1, 2], [3, "iii", 5, 6]]);
  assert.equal(record.take({ ...info, thumbnails: "/thumbnails/a/w/{size}/{page}.png" }), true);
  assert.deepEqual(record.value.pages, []);
  record.restore({ info, pages: [[3, "iii", 5, 6]] });
  assert.deepEqual(record.value.pages, []);
});
