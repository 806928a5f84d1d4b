// Where pages lie, before a scene of the server has told: PageLayout, compiled to WebAssembly (docs/WASM.md), with the
// sizes that the server has. It is used as long as it agrees with the scenes.

import { address } from "./addresses.js";
import { PageSizes } from "./pagesizes.js";

/** Labels of pages that are remembered. */
const memory = 10_000;
/** Layout units by which frames may differ from those of a scene. */
const tolerance = 0.6;
/** Names of options in the conversation, and what they are in the module where that differs. */
const names = { rtl: "isRightToLeft", margin: "margins", centerIn: "centering", rotate: "rotation", insets: "contentInsets" };
const same = ["mode", "spread", "axis", "fit", "fitScope", "match", "zoom", "gap", "pageGap", "align", "trailingSpace"];
/** What other options are if they are not given: those are given only where they differ. */
const usual = {
  spread: "single", axis: "vertical", fitScope: "spread", match: "none", centering: "viewport", contentInsets: 0, trailingSpace: 0,
};

let engine;

/** Loads the module once. A promise that is null if the server has none, or the browser refuses it. */
function load() {
  engine ??= import("./pagelayout.js")
    .then(({ loadPageLayout }) => loadPageLayout(fetch(address("viewer/pagelayout.wasm"), { priority: "low" })))
    .catch(() => null);
  return engine;
}

function sides(list) {
  return Array.isArray(list) ? { top: list[0], right: list[1], bottom: list[2], left: list[3] } : list;
}

/** The configuration of the module for layout options as a reply has them; null if an option is not known here. */
function configuration(layout) {
  const result = { ...usual, grid: { columns: null, tile: null }, flow: { rowHeight: null } };
  for (const [name, value] of Object.entries(layout)) {
    if (value === undefined || value === null) continue;
    if (same.includes(name)) result[name] = value;
    else if (names[name]) result[names[name]] = sides(value);
    else if (name === "scaleGaps") result.gapsScaleWithZoom = value;
    else if (name === "columns") result.grid.columns = value;
    else if (name === "gridTile") result.grid.tile = value;
    else if (name === "justify") result.grid.isJustified = result.flow.isJustified = value;
    else if (name === "rowHeight") result.flow.rowHeight = value;
    else if (name === "lastRow") result.flow.lastRow = value;
    else return null;
  }
  return result;
}

/** The layout of a document as the reader has it. */
export class LocalLayout {
  #module = null;
  #info = null;
  #sizes = null;
  #viewpoint = null;
  /** The layout options of the viewpoint, as text. */
  #options = "";
  #mode = "";
  /** What is added to the module's coordinates so that they are those of the scenes. */
  #shift = { x: 0, y: 0 };
  /** Whether it agrees with the last scene, or has led to what is shown. */
  agrees = false;
  #labels = new Map();
  /** The last scene, and its layout options. */
  #last = null;
  /** Whether there is no server, so that no scene is to be agreed with. */
  isAlone = false;

  /** Takes a document. */
  open(info) {
    if (info.thumbnails === this.#info?.thumbnails) return;
    this.#info = info;
    this.#labels.clear();
    this.#replace(null);
    this.agrees = false;
    this.#sizes = new PageSizes(info, (first, numbers) => this.#measure(first, numbers));
  }

  /** Loads the module. Returns a promise. */
  async load() {
    this.#module ??= await load();
  }

  get isLoaded() {
    return this.#module !== null;
  }

  #replace(viewpoint) {
    if (viewpoint === this.#viewpoint) return;
    this.#viewpoint?.release();
    this.#viewpoint = viewpoint;
  }

  /** Changes the viewpoint; one that does not exist is none. */
  #change(viewpoint) {
    if (viewpoint) this.#replace(viewpoint);
    return Boolean(viewpoint);
  }

  // Agreeing

  /** Takes a scene of the server, in a layout with some options. */
  take(scene, layout) {
    for (const page of scene.spreads.flatMap(({ pages }) => pages)) {
      if (page.label !== undefined) this.#labels.set(page.number, page.label);
    }
    while (this.#labels.size > memory) this.#labels.delete(this.#labels.keys().next().value);
    this.agrees = false;
    this.#last = { scene, layout };
    if (!this.#module || !scene.place || scene.turn || scene.refusal) return;
    try {
      this.agrees = this.#follow(scene, layout) && this.#compare(scene);
    } catch {
      // A layout that the module does not have.
    }
    if (this.#viewpoint) this.#sizes.want(scene.current ?? 1);
  }

  /** Begins a document without a server, once the module is loaded. `sizes` are as that takes them. */
  begin(info, options, viewport, sizes) {
    this.open(info);
    const document = { viewport, pageCount: info.pages, configuration: configuration(options), sizes };
    this.#mode = options.mode;
    this.#replace(this.#module.Viewpoint.of(document));
    this.#sizes.want(1);
    this.isAlone = this.agrees = true;
  }

  #follow({ zoom, viewport, place }, layout) {
    const options = JSON.stringify(layout);
    const { width, height } = viewport;
    if (!this.#viewpoint || options !== this.#options) {
      const wanted = configuration(layout);
      if (!wanted) return false;
      const document = { viewport: { width, height }, pageCount: this.#info.pages, configuration: wanted };
      this.#change(this.#viewpoint?.reconfigured(wanted) ?? this.#module.Viewpoint.of(document));
      [this.#options, this.#mode] = [options, wanted.mode];
    }
    const own = this.#viewpoint.viewport;
    if (own.width !== width || own.height !== height) this.#change(this.#viewpoint.resized({ width, height }));
    // Scenes have six digits.
    if (Math.abs(this.#viewpoint.zoom - zoom) > 1e-6) this.#change(this.#viewpoint.zoomedTo(zoom));
    const { page, occurrence = 0, x, y, at, current, progress = 0 } = place;
    const shown = current ? { page: current.page - 1, occurrence: current.occurrence ?? 0 } : { page: page - 1, occurrence };
    const anchor = { page: page - 1, occurrence, x, y };
    return this.#change(this.#viewpoint.showingPlace({ anchor, point: at, current: shown, progress }));
  }

  /** Compares the visible pages with those of a scene, and finds what is to be added. */
  #compare({ spreads }) {
    const own = new Map(this.#viewpoint.spreads().map((spread) => [spread.index, spread]));
    let shift = null;
    for (const { index, pages } of spreads) {
      for (const [place, { number, fraction, frame, rotation }] of pages.entries()) {
        if (!(fraction > 0)) continue;
        const page = own.get(index)?.pages[place];
        if (!page || page.page !== number - 1 || page.rotation !== rotation) return false;
        const distance = { x: frame.x - page.frame.x, y: frame.y - page.frame.y };
        shift ??= distance;
        const differences = [
          distance.x - shift.x, distance.y - shift.y, frame.width - page.frame.width, frame.height - page.frame.height,
        ];
        if (differences.some((difference) => Math.abs(difference) > tolerance)) return false;
      }
    }
    if (shift) this.#shift = shift;
    return shift !== null;
  }

  /** Takes sizes. The place that the reader looks at stays where it is. */
  #measure(first, numbers) {
    if (!this.#viewpoint) return;
    const runs = [];
    for (let index = 0; index < numbers.length; index += 2) {
      if (!(numbers[index] > 0 && numbers[index + 1] > 0)) continue;
      const page = first + index / 2;
      const last = runs.at(-1);
      if (last && last.first + last.sizes.length / 2 === page) last.sizes.push(numbers[index], numbers[index + 1]);
      else runs.push({ first: page, sizes: [numbers[index], numbers[index + 1]] });
    }
    const before = this.#viewpoint.offset;
    this.#change(this.#viewpoint.measured(runs).viewpoint);
    const { x, y } = this.#viewpoint.offset;
    this.#shift = { x: this.#shift.x + before.x - x, y: this.#shift.y + before.y - y };
    if (!this.agrees && this.#last) this.take(this.#last.scene, this.#last.layout);
  }

  // Answers

  /** The spreads in a window of the content; null if they are not known here. */
  within({ x, y, width, height }) {
    if (!this.agrees) return null;
    try {
      const window = { x: x - this.#shift.x, y: y - this.#shift.y, width, height };
      return this.#viewpoint.spreads(window).map((spread) => this.#spread(spread));
    } catch {
      // A window with too many pages.
      return null;
    }
  }

  /**
   * The scene that a request will lead to; null if only the server knows. `stage` has the present scene, the offset and
   * the layout options, `around` the distance about the viewport in which pages are wanted.
   */
  expect(op, members, { scene, offset, layout, around }) {
    if (!this.agrees) return null;
    try {
      this.#moveTo(offset);
      // A request that is not known may have changed the viewpoint in part.
      const isKnown = this.#perform(op, members, layout);
      this.agrees = isKnown || this.isAlone;
      // Another layout has other coordinates.
      this.#shift = { x: 0, y: 0 };
      return isKnown ? this.#scene(scene, around) : null;
    } catch {
      this.agrees = this.isAlone;
      return null;
    }
  }

  /** Goes where the browser has scrolled to. */
  #moveTo({ x, y }) {
    const offset = { x: x - this.#shift.x, y: y - this.#shift.y };
    const own = this.#viewpoint.offset;
    if (Math.abs(own.x - offset.x) < 1 && Math.abs(own.y - offset.y) < 1) return;
    this.#change(this.#viewpoint.moved(offset));
  }

  #perform(op, { layout: changes, viewport, anchor, spread, progress, by, offset, place, factor, about }, layout) {
    if (!["view", "layout", "zoom"].includes(op) || progress !== undefined || place) return false;
    if (viewport && !this.#change(this.#viewpoint.resized(viewport))) return false;
    if (op === "layout") {
      const wanted = configuration({ ...layout, zoom: this.#viewpoint.zoom, ...changes });
      if (!wanted || !this.#change(this.#viewpoint.reconfigured(wanted))) return false;
      [this.#options, this.#mode] = ["", wanted.mode];
    }
    if (op === "zoom") {
      // What the zoom of a single spread is, scenes do not tell.
      const isKnown = this.isAlone || this.#viewpoint.restingSpread === undefined;
      return isKnown && this.#change(this.#viewpoint.zoomedBy(factor, about));
    }
    if (anchor) {
      this.#sizes.want(anchor.page);
      const { fraction, across } = anchor;
      if (!this.#change(this.#viewpoint.showingPage(anchor.page - 1, { fraction, across }))) return false;
    }
    if (spread !== undefined && !this.#showSpread(spread)) return false;
    if (offset) {
      const [{ x, y }, shift] = [this.#viewpoint.offset, this.#shift];
      const target = { x: (offset.x ?? x + shift.x) - shift.x, y: (offset.y ?? y + shift.y) - shift.y };
      if (!this.#change(this.#viewpoint.moved(target))) return false;
    }
    return !by || this.#change(this.#viewpoint.scrolled({ x: by.x ?? 0, y: by.y ?? 0 }));
  }

  #showSpread(index) {
    if (index >= this.#viewpoint.spreadCount) return false;
    const page = this.#viewpoint.spread(index)?.pages[0]?.page;
    return page !== undefined && this.#change(this.#viewpoint.showingPage(page));
  }

  #scene(scene, around) {
    const [viewpoint, { pixelScale, tileSize, geometry }] = [this.#viewpoint, scene];
    const viewport = { ...viewpoint.offset, ...viewpoint.viewport };
    // In a carousel the window decides which spread is the large one.
    const { x, y } = this.#mode === "carousel" ? { x: 0, y: 0 } : around;
    const window = {
      x: viewport.x - x, y: viewport.y - y, width: viewport.width + 2 * x, height: viewport.height + 2 * y,
    };
    const spreads = this.within(window);
    if (!spreads) return null;
    for (const page of spreads.flatMap(({ pages }) => pages)) {
      page.fraction = shared(page.frame, viewport);
      page.place = pixels(page.frame, pixelScale);
    }
    return {
      isExpected: true, geometry, pixelScale, tileSize, spreads, viewport, zoom: viewpoint.zoom,
      content: viewpoint.contentSize, current: viewpoint.currentPage === undefined ? undefined : viewpoint.currentPage + 1,
      anchor: this.#anchor(),
    };
  }

  /** Where reading starts. */
  #anchor() {
    const { page, y } = this.#viewpoint.anchor() ?? {};
    return page === undefined ? undefined : { page: page + 1, fraction: y };
  }

  #spread({ index, frame, pages }) {
    return {
      index,
      frame: this.#moved(frame),
      pages: pages.map(({ page, position, frame, size, rotation, scale }) => {
        const [number, label] = [page + 1, this.#labels.get(page + 1)];
        return { index: position, number, label, frame: this.#moved(frame), size, rotation, scale, fraction: 0 };
      }),
    };
  }

  #moved({ x, y, width, height }) {
    return { x: x + this.#shift.x, y: y + this.#shift.y, width, height };
  }
}

/** The part of a frame that is in a viewport. */
function shared(frame, viewport) {
  const overlap = (start, length) => {
    const end = Math.min(frame[start] + frame[length], viewport[start] + viewport[length]);
    return Math.max(0, end - Math.max(frame[start], viewport[start]));
  };
  return (overlap("x", "width") * overlap("y", "height")) / (frame.width * frame.height);
}

/** The device pixels of a frame. */
function pixels(frame, scale) {
  const edge = (value) => Math.round(value * scale);
  const [x, y] = [edge(frame.x), edge(frame.y)];
  return { x, y, width: edge(frame.x + frame.width) - x, height: edge(frame.y + frame.height) - y };
}
