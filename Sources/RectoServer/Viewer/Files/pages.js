// The pages of a scene as elements: paper, tiles, and what lies on top.

import { CoarsePictures } from "./coarse.js";
import { Fetches } from "./fetching.js";
import { kept } from "./kept.js";
import { visible } from "./names.js";
import { PageTurn } from "./pageturn.js";
import { string } from "./strings.js";

/** Tiles that left the scene keep their element for others. */
const poolSize = 64;
/** Pixels by which a raster may be larger than its page, which then clips it. */
const clipped = 1.5;

/** A raster of a page with its tiles. */
class Layer {
  constructor(raster, scale, { pool, fetches }) {
    this.key = rasterKey(raster);
    this.raster = raster;
    this.scale = scale;
    this.pool = pool;
    this.fetches = fetches;
    this.tiles = new Map();
    this.wanted = new Set();
    this.element = document.createElement("div");
    this.element.className = "layer";
  }

  /** Shows a tile once it is decoded. Browsers decode images one after the other, but bitmaps side by side. */
  async add(tile) {
    const key = `${tile.column}_${tile.row}`;
    if (this.tiles.has(key)) return;
    const entry = { fetching: new AbortController(), canvas: null };
    this.tiles.set(key, entry);
    try {
      const bitmap = await createImageBitmap(await this.fetches.load(tile.url, entry.fetching.signal));
      if (this.tiles.get(key) === entry) this.#put(bitmap, tile.pixels, entry);
      else bitmap.close();
    } catch {
      if (this.tiles.get(key) === entry) this.tiles.delete(key);
    }
  }

  #put(bitmap, { x, y, width, height }, entry) {
    const canvas = this.pool.pop() ?? document.createElement("canvas");
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
    canvas.style.left = `${x / this.scale}px`;
    canvas.style.top = `${y / this.scale}px`;
    canvas.style.width = `${width / this.scale}px`;
    canvas.style.height = `${height / this.scale}px`;
    entry.canvas = canvas;
    this.element.append(canvas);
  }

  /** Drops the tiles that the scene does not have. */
  keep(keys) {
    this.wanted = keys;
    for (const [key, entry] of this.tiles) {
      if (keys.has(key)) continue;
      this.tiles.delete(key);
      this.release(entry);
    }
  }

  /** Stretches the tiles to another size of the page. */
  stretch(place) {
    const { width, height } = this.raster;
    const [x, y] = [place.width * this.scale, place.height * this.scale];
    const isSharp = Math.abs(x - width) < clipped && Math.abs(y - height) < clipped;
    this.element.style.transform = isSharp ? "" : `scale(${x / width}, ${y / height})`;
  }

  get isComplete() {
    for (const key of this.wanted) if (!this.tiles.get(key)?.canvas) return false;
    return true;
  }

  release({ fetching, canvas }) {
    fetching.abort();
    if (!canvas) return;
    canvas.remove();
    // Its pixels are freed at once.
    canvas.width = canvas.height = 0;
    if (this.pool.length < poolSize) this.pool.push(canvas);
  }

  remove() {
    for (const entry of this.tiles.values()) this.release(entry);
    this.tiles.clear();
    this.element.remove();
  }
}

function rasterKey({ width, height, rotation }) {
  return `${width}x${height}/${rotation}`;
}

/** A page of the scene. */
class PageView {
  constructor(number, pages) {
    this.number = number;
    this.pages = pages;
    this.coarse = pages.coarse.element(number);
    this.layers = [];
    this.element = document.createElement("div");
    this.element.className = "page";
    this.element.setAttribute("role", "group");
    this.overlay = document.createElement("div");
    this.overlay.className = "overlay";
    this.element.append(this.overlay);
    if (this.coarse) this.element.prepend(this.coarse);
    this.message = null;
    this.error = undefined;
    /** Why the page could not be drawn; null if it can be. */
    this.failure = null;
  }

  /** Takes the page as a scene has it. */
  update(page, scale, origin) {
    this.page = page;
    this.scale = scale;
    this.isHidden = false;
    // Of an expected page the label is not known yet.
    if (page.label !== undefined) this.element.setAttribute("aria-label", string("page", { page: page.label }));
    const place = page.place
      ? {
          x: page.place.x / scale,
          y: page.place.y / scale,
          width: page.place.width / scale,
          height: page.place.height / scale,
        }
      : page.frame;
    this.place = place;
    this.move(origin);
    this.element.style.width = `${place.width}px`;
    this.element.style.height = `${place.height}px`;
    this.#placeCoarse();
    // Older rasters are stretched to the present size until the new tiles are there; so are those of another scale.
    for (const layer of this.layers) layer.stretch(place);
    // Of an expected page nothing else is known.
    if (!page.raster && !page.error) return;
    if (page.error?.message !== this.error?.message) this.#showError(page.error ?? this.failure);
    this.error = page.error;
    if (!page.raster) return;
    const key = rasterKey(page.raster);
    if (this.layers.at(-1)?.key !== key) {
      this.layers.push(new Layer(page.raster, scale, this.pages));
      while (this.layers.length > 3) this.layers.shift().remove();
      this.element.insertBefore(this.layers.at(-1).element, this.overlay);
    }
    this.layers.at(-1).stretch(place);
    this.layers.at(-1).keep(new Set((page.tiles ?? []).map((tile) => `${tile.column}_${tile.row}`)));
    this.settle();
  }

  /** Whether the page is not in the scene. */
  get isHidden() {
    return this.element.style.display === "none";
  }

  set isHidden(isHidden) {
    this.element.style.display = isHidden ? "none" : "";
  }

  /** Stretches the small picture to the page, and turns it as the layout turns pages. */
  #placeCoarse() {
    if (!this.coarse) return;
    const { width, height } = this.place;
    const { rotation } = this.page;
    const isUpright = rotation % 180 === 0;
    this.coarse.width = isUpright ? width : height;
    this.coarse.height = isUpright ? height : width;
    const [x, y] = [rotation === 90 || rotation === 180 ? width : 0, rotation >= 180 ? height : 0];
    this.coarse.style.transform = rotation ? `translate(${x}px, ${y}px) rotate(${rotation}deg)` : "";
  }

  /** Puts the page where it is seen from an origin. */
  move(origin) {
    this.element.style.transform = `translate(${this.place.x - origin.x}px, ${this.place.y - origin.y}px)`;
  }

  /** Shows that the page could not be drawn, until it is. */
  fail(error) {
    this.failure = error;
    this.#showError(error);
  }

  #showError(error) {
    this.message?.remove();
    this.message = null;
    if (!error) return;
    this.message = document.createElement("div");
    this.message.className = "page-error";
    const [text, button] = [document.createElement("p"), document.createElement("button")];
    text.textContent = visible(string("pageError", { page: this.page.label, reason: error.message }));
    button.type = "button";
    button.textContent = string("tryAgain");
    button.addEventListener("click", () => {
      this.error = undefined;
      this.fail(null);
      this.pages.retry();
    });
    this.message.append(text, button);
    this.element.append(this.message);
  }

  /** Takes a tile; false if it is of another raster. */
  async take(tile) {
    const layer = this.layers.at(-1);
    if (!layer || layer.key !== rasterKey(tile.raster)) return;
    if (this.failure) this.fail(null);
    await layer.add(tile);
    this.settle();
  }

  /** Drops older rasters when the newest one is complete. */
  settle() {
    if (this.layers.length > 1 && this.layers.at(-1).isComplete) {
      for (const layer of this.layers.splice(0, this.layers.length - 1)) layer.remove();
    }
  }

  remove() {
    for (const layer of this.layers) layer.remove();
    if (this.coarse) this.pages.coarse.release(this.coarse, this.number);
    this.element.remove();
  }
}

/** All pages of the scene. */
export class Pages {
  /** `retry` has pages drawn again that could not be drawn. */
  constructor(content, retry) {
    this.content = content;
    this.retry = retry;
    this.views = new Map();
    /** Whether the scene is one that the server has not told of yet. */
    this.isExpected = false;
    this.pool = [];
    const load = (address, options) => kept.load(address, options);
    this.fetches = new Fetches(load);
    this.coarse = new CoarsePictures(load);
    this.turn = new PageTurn(content);
  }

  /** Takes a scene. A page can be shown at several positions. */
  show(scene, origin) {
    this.isExpected = scene.isExpected === true;
    const seen = new Set();
    const entries = [];
    for (const spread of scene.spreads) {
      const counts = new Map();
      for (const page of spread.pages) {
        const count = counts.get(page.number) ?? 0;
        counts.set(page.number, count + 1);
        const key = `${spread.index}/${page.number}/${count}`;
        seen.add(key);
        let view = this.views.get(key);
        if (!view) {
          view = new PageView(page.number, this);
          this.views.set(key, view);
          this.content.append(view.element);
        }
        view.update(page, scene.pixelScale, origin);
        entries.push({ view, spread: spread.index });
      }
    }
    for (const [key, view] of this.views) {
      if (seen.has(key)) continue;
      // The scene that follows may have it, and the server does not send its tiles again.
      if (this.isExpected) view.isHidden = true;
      else this.#remove(key, view);
    }
    this.turn.show(scene, origin, entries);
  }

  #remove(key, view) {
    this.views.delete(key);
    view.remove();
  }

  /** Moves all pages. */
  move(origin) {
    for (const view of this.views.values()) view.move(origin);
  }

  /** Takes a tile event. */
  take(tile) {
    return Promise.all(this.of(tile.page).map((view) => view.take(tile)));
  }

  /** The views of a page. */
  of(number) {
    return [...this.views.values()].filter((view) => view.number === number);
  }

  /** The views of pages in the viewport. */
  get visible() {
    return [...this.views.values()].filter((view) => view.page?.fraction > 0 && !view.isHidden);
  }

  /** Whether every visible tile is on the screen. */
  get isComplete() {
    return !this.isExpected && this.visible.every((view) => !view.page.raster || view.layers.at(-1)?.isComplete);
  }

  clear() {
    for (const view of this.views.values()) view.remove();
    this.views.clear();
  }
}
