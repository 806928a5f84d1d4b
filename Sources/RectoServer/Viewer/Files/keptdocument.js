// A document without its server: what was seen of its pages, and a conversation about it. Its pages are laid out in the
// browser, at the sizes that are known; tiles of any scale stand for those that were never fetched.

import { LocalLayout } from "./locallayout.js";

/** Layout options that a reader has not chosen. */
const usual = { mode: "continuous", axis: "vertical", fit: "width", zoom: 1, gap: 10, margin: [10, 10, 10, 10] };
/** Pages whose sizes are kept. */
const most = 100_000;

/** What is kept of a document as it is read: what the server replied of it, and the labels and sizes of its pages. */
export class DocumentRecord {
  #pages = new Map();
  info;

  /** Takes what was kept when the document was read before, unless it is another version. */
  restore(kept) {
    if (!kept || (this.info && this.info.thumbnails !== kept.info.thumbnails)) return;
    this.info ??= kept.info;
    for (const [number, ...page] of kept.pages) if (!this.#pages.has(number)) this.#pages.set(number, page);
  }

  /** Takes a reply or an event; returns whether there is something new in it. */
  take({ path, pages, title, rtl, tileSize, thumbnails, pictures, spreads }) {
    const isNew = thumbnails !== undefined && thumbnails !== this.info?.thumbnails;
    // The pages of another version may have other sizes.
    if (isNew && this.info) this.#pages.clear();
    if (isNew) this.info = { path, pages, title, rtl, tileSize, thumbnails, pictures };
    const before = this.#pages.size;
    for (const { number, label, size } of (spreads ?? []).flatMap((spread) => spread.pages)) {
      if (size && !this.#pages.has(number) && before < most) this.#pages.set(number, [label, size.width, size.height]);
    }
    return this.info !== undefined && (isNew || this.#pages.size > before);
  }

  get value() {
    return { info: this.info, pages: [...this.#pages].map(([number, page]) => [number, ...page]) };
  }
}

/** The rasters of pages of which there are tiles, by page, from the addresses of tiles. */
export function rastersAt(addresses) {
  const pages = new Map();
  const form = /\/(\d+)\/([\d.e+-]+)x\/(\d+)x(\d+)\/(\d+)\/(\d+)\/(\d+)_(\d+)\.png$/;
  for (const url of addresses) {
    const numbers = form.exec(url)?.slice(1).map(Number);
    if (!numbers) continue;
    const [page, scale, width, height, rotation, side, column, row] = numbers;
    const key = `${width}x${height}/${rotation}/${side}`;
    if (!pages.has(page)) pages.set(page, new Map());
    const rasters = pages.get(page);
    if (!rasters.has(key)) rasters.set(key, { scale, raster: { width, height, rotation }, tiles: [] });
    const pixels = { x: column * side, y: row * side };
    [pixels.width, pixels.height] = [Math.min(side, width - pixels.x), Math.min(side, height - pixels.y)];
    rasters.get(key).tiles.push({ column, row, pixels, url });
  }
  return pages;
}

/** A conversation about a document that is kept, as docs/SERVE.md describes it. */
export class KeptConversation {
  #info;
  #pages;
  #rasters;
  #layout = new LocalLayout();
  #options = usual;
  #scene = { viewport: { x: 0, y: 0 } };
  #overscan = {};

  constructor({ info, pages }, rasters) {
    this.#info = info;
    this.#pages = new Map(pages.map(([number, label, width, height]) => [number, { label, sizes: [width, height] }]));
    this.#rasters = rasters;
  }

  /** Makes it ready. A promise that is false if the browser cannot lay out. */
  async prepare() {
    await this.#layout.load();
    return this.#layout.isLoaded;
  }

  /** The reply to a request; null if only the server has it. */
  reply(op, members) {
    switch (op) {
      case "open": return this.#open(members);
      case "layout": return { ...this.#show(op, members), layout: this.#options };
      case "view": case "zoom": return this.#show(op, members);
      case "pages": return { pages: this.#labels(members) };
      default: return null;
    }
  }

  /** The tiles of the pages of a scene, as events. */
  tiles({ spreads }) {
    return spreads.flatMap(({ pages }) =>
      pages.flatMap(({ number, raster, tiles }) =>
        (tiles ?? []).map((tile) => ({ event: "tile", page: number, raster, ...tile })),
      ),
    );
  }

  #open({ layout, viewport, ...members }) {
    this.#options = changed({ ...usual, rtl: this.#info.rtl }, layout);
    const sizes = [...this.#pages].map(([number, { sizes }]) => ({ first: number - 1, sizes }));
    this.#layout.begin(this.#info, this.#options, viewport, sizes);
    return { ...this.#info, ...this.#show("view", members) };
  }

  /** The scene after a request; where only the server knows that, the present one. */
  #show(op, { layout, scale, overscan, progress, ...members }) {
    const before = this.#options;
    this.#options = changed(before, layout);
    this.#overscan = overscan ?? this.#overscan;
    const { left = 0, right = 0, top = 0, bottom = 0 } = this.#overscan;
    const state = {
      scene: { geometry: 1, tileSize: this.#info.tileSize, pixelScale: scale ?? this.#scene.pixelScale ?? 1 },
      offset: this.#scene.viewport,
      layout: before,
      around: { x: Math.max(left, right), y: Math.max(top, bottom) },
    };
    const scene = this.#layout.expect(op, { layout, ...members }, state);
    if (!scene) return this.#scene;
    for (const page of scene.spreads.flatMap(({ pages }) => pages)) {
      page.label ??= this.#pages.get(page.number)?.label ?? String(page.number);
      Object.assign(page, this.#raster(page, scene.pixelScale));
    }
    return (this.#scene = { ...scene, isExpected: false });
  }

  /** The raster with tiles whose scale is nearest to the wanted one. */
  #raster({ number, rotation, scale }, pixelScale) {
    const distance = (raster) => Math.abs(Math.log(raster.scale / (scale * pixelScale)));
    const rasters = [...(this.#rasters.get(number)?.values() ?? [])].filter(({ raster }) => raster.rotation === rotation);
    if (rasters.length === 0) return {};
    const { raster, tiles } = rasters.reduce((one, other) => (distance(other) < distance(one) ? other : one));
    return { raster, tiles };
  }

  #labels({ label, first, count = 1 }) {
    const all = [...this.#pages].map(([number, { label }]) => ({ number, label }));
    if (label !== undefined) return all.filter((page) => page.label === label).slice(0, 1);
    return all.filter(({ number }) => number >= first && number < first + count);
  }
}

/** Layout options after some changes: null restores what is usual. */
function changed(options, changes) {
  const given = Object.entries(changes ?? {}).filter(([, value]) => value !== undefined);
  return { ...options, ...Object.fromEntries(given.map(([name, value]) => [name, value ?? usual[name]])) };
}
