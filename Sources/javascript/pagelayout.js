// The layout engine in a browser or in Node.js 18 and later: PageLayout, compiled to WebAssembly. See docs/WASM.md.
//
//   const {Viewpoint} = await loadPageLayout(fetch("pagelayout.wasm"));
//   let viewpoint = Viewpoint.of({pageCount: 15_385, viewport: {width: 1280, height: 800}, configuration: {fit: "width"}});
//   viewpoint = viewpoint.moved({x: 0, y: 120_000});
//   for (const spread of viewpoint.spreads()) draw(spread.pages);
//
// A viewpoint is a value: what changes it returns another one. Pages are indices from 0. Lengths are layout units: points at
// zoom 1. What there is not, is undefined.

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{width: number, height: number}} Size
 * @typedef {{x: number, y: number, width: number, height: number}} Rect
 * @typedef {{top?: number, right?: number, bottom?: number, left?: number}} Insets
 * @typedef {{start: number, end: number}} Range from `start` to before `end`
 *
 * @typedef {object} Configuration As LayoutConfiguration in docs/LAYOUT.md; in a change, what is not given stays as it is.
 * @property {"continuous" | "paged" | "grid" | "carousel" | "flow"} [mode]
 * @property {"single" | "double" | "book" | {columns: number, start?: number}} [spread]
 * @property {"vertical" | "horizontal"} [axis]
 * @property {boolean} [isRightToLeft]
 * @property {"none" | "width" | "height" | "page"} [fit]
 * @property {"spread" | "document"} [fitScope]
 * @property {"none" | "height" | "width"} [match]
 * @property {number} [zoom]
 * @property {number} [gap]
 * @property {number} [pageGap]
 * @property {Insets | number} [margins]
 * @property {"start" | "center" | "end"} [align]
 * @property {"viewport" | "content"} [centering]
 * @property {0 | 90 | 180 | 270} [rotation] clockwise
 * @property {boolean} [gapsScaleWithZoom]
 * @property {Insets | number} [contentInsets]
 * @property {Partial<Size>} [minimumContentSize]
 * @property {number} [trailingSpace]
 * @property {{columns?: number | null, tile?: number | null, isJustified?: boolean}} [grid]
 * @property {{rowHeight?: number | null, isJustified?: boolean, lastRow?: "natural" | "justified"}} [flow]
 * @property {{currentShare?: number, neighborShare?: number, hiddenShare?: number}} [carousel]
 * @property {{wideRatio?: number | null, alone?: number[], together?: number[], sectionStarts?: number[]}} [pairing]
 * @property {{gaps?: {pages: Range, gap: number}[], sectionGap?: number | null,
 *   pageMargins?: {page: number, margins: Insets | number}[]}} [spacing]
 * @property {{page: number, zoom: number, pan: Point}[]} [spreadViews]
 * @property {number[]} [stickyPages]
 *
 * @typedef {{pages: Range, backwards?: boolean} | {blanks: number}} Run consecutive positions
 * @typedef {{first: number, sizes: ArrayLike<number>}} MeasuredSizes widths and heights in turn, from page `first` on, in points
 * @typedef {{insert: Run[], at: number} | {remove: Range} | {move: Range, to: number} | {duplicate: Range}} Step positions
 *
 * @typedef {{page: number, occurrence: number, x: number, y: number}} Anchor a point as a fraction of a page's width and height
 * @typedef {{anchor: Anchor, point: Point, current: {page: number, occurrence: number}, progress: number}} Place
 *   what a reader looks at, which can be kept for the next visit
 *
 * @typedef {object} LaidOutPage
 * @property {number} page
 * @property {number} position its place in the order shown
 * @property {Rect} frame in the content
 * @property {Rect} clip the part of the content to which it is clipped
 * @property {Size} size in points, before the view's rotation
 * @property {number} rotation of the view, in clockwise degrees
 * @property {number} scale layout units per point
 * @property {boolean} isMeasured
 * @property {boolean} isExact whether its frame depends on no unmeasured page
 *
 * @typedef {{index: number, frame: Rect, cell: Rect, isExact: boolean, isPinned: boolean, pages: LaidOutPage[]}} LaidOutSpread
 *
 * @typedef {object} Invalidation what has moved, by spreads of the new layout
 * @property {Range[]} changed
 * @property {{spreads: Range, distance: Point}[]} displaced
 * @property {Size} contentSizeAdjustment
 * @property {Point} offsetAdjustment how far the offset has moved
 *
 * @typedef {{inserted: Range[], removed: Range[], kept: {old: Range, new: Range}[]}} PageChanges positions
 * @typedef {{page: number, position: number, frame: Rect, size: Size, angle: number, clip?: Rect, opacity: number}} MovingPage
 *   in coordinates of the viewport
 */

/** A request that was refused: the message names the option, the reason and the limit. */
export class LayoutError extends Error {}

const choices = {
  mode: ["continuous", "paged", "grid", "carousel", "flow"],
  axis: ["vertical", "horizontal"],
  fit: ["none", "width", "height", "page"],
  fitScope: ["spread", "document"],
  match: ["none", "height", "width"],
  align: ["start", "center", "end"],
  centering: ["viewport", "content"],
  lastRow: ["natural", "justified"],
  estimate: ["firstPage", "mostCommon"],
};
const spreads = { single: [1, 0], double: [2, 0], book: [2, 1] };

/** The numbers of a request, in the order in which NumberReader reads them. NaN means: not given. */
class Request {
  /** @type {number[]} */
  numbers = [];

  add(...values) {
    for (const value of values) this.numbers.push(value === undefined ? NaN : Number(value));
    return this;
  }
  /** A value that can be removed. */
  optional(value) { return this.add(value === null ? -Infinity : value); }
  choice(name, value) {
    if (value === undefined) return this.add(NaN);
    const index = choices[name].indexOf(value);
    if (index < 0) throw new LayoutError(`${name}: must be one of ${choices[name].join(", ")}, is ${value}`);
    return this.add(index);
  }
  point(point) { return this.add(point?.x, point?.y); }
  size(size) { return this.add(size?.width, size?.height); }
  rect(rect) { return this.point(rect).size(rect); }
  range(range) { return this.add(range.start, range.end); }
  insets(insets) {
    if (typeof insets === "number") return this.add(insets, insets, insets, insets);
    return this.add(insets?.top, insets?.right, insets?.bottom, insets?.left);
  }
  list(values, each) {
    this.add(values?.length);
    for (const value of values ?? []) each(value);
    return this;
  }
  numbersOf(values) { return this.list(values, (value) => this.add(value)); }
  anchor(anchor) { return this.add(anchor.page, anchor.occurrence).point(anchor); }
  place(place) {
    const { page, occurrence } = place.current ?? place.anchor;
    return this.anchor(place.anchor).point(place.point).add(page, occurrence, place.progress);
  }
  runs(runs) {
    return this.list(runs, (run) => {
      if ("blanks" in run) this.add(2, 0, run.blanks);
      else this.add(run.backwards ? 1 : 0).range(run.pages);
    });
  }
  sizes(sizes) {
    return this.list(sizes, ({ first, sizes }) => {
      this.add(first, sizes.length >> 1);
      for (let index = 0; index + 1 < sizes.length; index += 2) this.add(sizes[index], sizes[index + 1]);
    });
  }
  step(step) {
    const kind = ["insert", "remove", "move", "duplicate"].findIndex((name) => name in step);
    this.add(kind).range(step.remove ?? step.move ?? step.duplicate ?? { start: 0, end: 0 });
    return this.add(step.at ?? step.to).runs(step.insert);
  }
  configuration(options = {}) {
    const { grid, flow, carousel, pairing, spacing } = options;
    this.choice("mode", options.mode).spread(options.spread).choice("axis", options.axis);
    this.add(options.isRightToLeft).choice("fit", options.fit).choice("fitScope", options.fitScope);
    this.choice("match", options.match).add(options.zoom, options.gap, options.pageGap).insets(options.margins);
    this.choice("align", options.align).choice("centering", options.centering);
    this.add(options.rotation, options.gapsScaleWithZoom).insets(options.contentInsets);
    this.size(options.minimumContentSize).add(options.trailingSpace);
    this.optional(grid?.columns).optional(grid?.tile).add(grid?.isJustified);
    this.optional(flow?.rowHeight).add(flow?.isJustified).choice("lastRow", flow?.lastRow);
    this.add(carousel?.currentShare, carousel?.neighborShare, carousel?.hiddenShare);
    this.optional(pairing?.wideRatio).numbersOf(pairing?.alone).numbersOf(pairing?.together);
    this.numbersOf(pairing?.sectionStarts);
    this.list(spacing?.gaps, ({ pages, gap }) => this.range(pages).add(gap)).optional(spacing?.sectionGap);
    this.list(spacing?.pageMargins, ({ page, margins }) => this.add(page).insets(margins));
    this.list(options.spreadViews, ({ page, zoom, pan }) => this.add(page, zoom).point(pan));
    return this.numbersOf(options.stickyPages);
  }
  spread(spread) {
    if (spread === undefined) return this.add(NaN, NaN);
    if (typeof spread === "object") return this.add(spread.columns, spread.start ?? 0);
    if (!Object.hasOwn(spreads, spread)) {
      throw new LayoutError(`spread: must be one of ${Object.keys(spreads).join(", ")}, is ${spread}`);
    }
    return this.add(...spreads[spread]);
  }
}

/** The numbers of a reply, in the order in which NumberWriter adds them. */
class Reply {
  #numbers;
  #next = 0;
  constructor(numbers) { this.#numbers = numbers; }

  get isEmpty() { return this.#numbers.length === 0; }
  number() { return this.#numbers[this.#next++]; }
  /** A number, or undefined. */
  optional() {
    const number = this.number();
    return Number.isNaN(number) ? undefined : number;
  }
  flag() { return this.number() === 1; }
  list(each) {
    const length = this.number();
    const list = [];
    while (list.length < length) list.push(each());
    return list;
  }
  point() { return { x: this.number(), y: this.number() }; }
  size() { return { width: this.number(), height: this.number() }; }
  rect() { return { ...this.point(), ...this.size() }; }
  range() { return { start: this.number(), end: this.number() }; }
  ranges() { return this.list(() => this.range()); }
  anchor() { return { page: this.number(), occurrence: this.number(), ...this.point() }; }
  place() {
    const [anchor, point] = [this.anchor(), this.point()];
    const current = { page: this.number(), occurrence: this.number() };
    const progress = this.number();
    return Number.isNaN(anchor.page) ? undefined : { anchor, point, current, progress };
  }
  page() {
    return {
      page: this.number(), position: this.number(), frame: this.rect(), clip: this.rect(), size: this.size(),
      rotation: this.number(), scale: this.number(), isMeasured: this.flag(), isExact: this.flag(),
    };
  }
  spread() {
    return {
      index: this.number(), frame: this.rect(), cell: this.rect(), isExact: this.flag(), isPinned: this.flag(),
      pages: this.list(() => this.page()),
    };
  }
  invalidation() {
    return {
      changed: this.ranges(),
      displaced: this.list(() => ({ spreads: this.range(), distance: this.point() })),
      contentSizeAdjustment: this.size(),
      offsetAdjustment: this.point(),
    };
  }
  changes() {
    return {
      inserted: this.ranges(), removed: this.ranges(),
      kept: this.list(() => ({ old: this.range(), new: this.range() })),
    };
  }
  clip() {
    const rect = this.rect();
    return Number.isNaN(rect.x) ? undefined : rect;
  }
  end() { return { frame: this.rect(), clip: this.clip(), opacity: this.number() }; }
  motion() {
    return {
      page: this.number(), oldPosition: this.optional(), newPosition: this.optional(), start: this.end(), end: this.end(),
    };
  }
  movingPage() {
    return {
      page: this.number(), position: this.number(), frame: this.rect(), size: this.size(), angle: this.number(),
      clip: this.clip(), opacity: this.number(),
    };
  }
}

/**
 * Loads the engine.
 *
 * @param {BufferSource | WebAssembly.Module | Response | PromiseLike<Response>} source `pagelayout.wasm`
 */
export async function loadPageLayout(source) {
  source = await source;
  let module = source;
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok) throw new Error(`pagelayout.wasm: ${source.status} ${source.statusText}`);
    module = await WebAssembly.compile(await source.arrayBuffer());
  } else if (!(source instanceof WebAssembly.Module)) {
    module = await WebAssembly.compile(source);
  }
  const engine = (await WebAssembly.instantiate(module)).exports;
  const decoder = new TextDecoder();

  /** Reads the reply at an address, and gives its memory back. */
  function replyAt(address) {
    const [count] = new Float64Array(engine.memory.buffer, address, 1);
    const bytes = engine.memory.buffer.slice(address + 8, address + 8 + (count < 0 ? -count : 8 * count));
    engine.release_memory(address);
    if (count < 0) throw new LayoutError(decoder.decode(bytes));
    return new Reply(new Float64Array(bytes));
  }

  /** Sends a request; `addresses` are those of values that the engine holds. */
  function ask(name, addresses, request = new Request()) {
    const { numbers } = request;
    const memory = engine.memory_for(numbers.length);
    if (memory === 0) throw new LayoutError(`request: must have at most 67108864 numbers, has ${numbers.length}`);
    new Float64Array(engine.memory.buffer, memory, numbers.length).set(numbers);
    try {
      return replyAt(engine[name](...addresses, memory, numbers.length));
    } finally {
      engine.release_memory(memory);
    }
  }

  const unreachable = new FinalizationRegistry((address) => engine.release(address));

  /** A value that the engine holds until `release` is called, or nothing refers to it any longer. */
  class Held {
    #address;
    constructor(address) {
      this.#address = address;
      unreachable.register(this, address, this);
    }
    get address() {
      if (this.#address === 0) throw new LayoutError(`${this.constructor.name}: was released`);
      return this.#address;
    }
    /** Gives the memory back now. */
    release() {
      if (this.#address === 0) return;
      unreachable.unregister(this);
      engine.release(this.#address);
      this.#address = 0;
    }
  }

  /** A layout and a reader's view of it. */
  class Viewpoint extends Held {
    /** @param {Reply} reply */
    constructor(reply) {
      super(reply.number());
      /** @type {Point} the viewport's top left in the content */
      this.offset = reply.point();
      /** @type {Size} */
      this.viewport = reply.size();
      /** @type {Size} */
      this.contentSize = reply.size();
      /** @type {number} */
      this.spreadCount = reply.number();
      /** @type {number} the number of positions */
      this.positionCount = reply.number();
      /** @type {boolean} whether the content's size depends on no unmeasured page */
      this.isContentExact = reply.flag();
      /** @type {number} */
      this.zoom = reply.number();
      /** @type {number} clockwise degrees */
      this.rotation = reply.number();
      /** @type {number | undefined} the page that a reader looks at */
      this.currentPage = reply.optional();
      /** @type {number | undefined} where spreads rest, the one at or nearest to rest */
      this.restingSpread = reply.optional();
      /** @type {boolean} */
      this.isAtRest = reply.flag();
      /** @type {Place | undefined} */
      this.place = reply.place();
    }

    /**
     * A viewpoint at the start of a document.
     *
     * @param {object} document
     * @param {Size} document.viewport
     * @param {number} [document.pageCount] all pages in order, or:
     * @param {Run[]} [document.order]
     * @param {Configuration} [document.configuration]
     * @param {MeasuredSizes[]} [document.sizes] those that are known; the others are estimated
     * @param {"firstPage" | "mostCommon" | Size} [document.estimate]
     */
    static of({ viewport, pageCount = 0, order, configuration, sizes = [], estimate = "firstPage" }) {
      const request = new Request().size(viewport);
      if (typeof estimate === "object") request.add(2).size(estimate);
      else request.choice("estimate", estimate).add(NaN, NaN);
      request.runs(order ?? [{ pages: { start: 0, end: pageCount } }]).sizes(sizes).configuration(configuration);
      return new Viewpoint(ask("viewpoint", [], request));
    }

    #ask(name, request) { return ask(name, [this.address], request); }
    #changed(name, request) {
      const reply = this.#ask(name, request);
      return reply.isEmpty ? undefined : new Viewpoint(reply);
    }

    // Moving. The offset never leaves the content.

    /** @param {Point} offset */
    moved(offset) { return this.#changed("moved", new Request().point(offset)); }
    /** Moves the window; a spread larger than its cell is panned first. @param {Point} distance */
    scrolled(distance) { return this.#changed("scrolled", new Request().point(distance)); }
    /** The nearest rest, in modes in which spreads rest. */
    settled() { return this.#changed("settled"); }
    /** Another zoom that keeps the content at a point of the viewport. @param {number} zoom @param {Point} [about] */
    zoomedTo(zoom, about) { return this.#changed("zoomed", new Request().add(0, zoom).point(about)); }
    /** @param {number} factor @param {Point} [about] */
    zoomedBy(factor, about) { return this.#changed("zoomed", new Request().add(1, factor).point(about)); }
    /**
     * A page, with a fraction of it before the edge where reading starts; undefined if it is not shown.
     *
     * @param {number} page
     * @param {{occurrence?: number, fraction?: number, across?: number}} [where]
     */
    showingPage(page, { occurrence, fraction, across } = {}) {
      return this.#changed("showing_page", new Request().add(page, occurrence, fraction, across));
    }
    /** An anchor at a point of the viewport; without one, where reading starts. @param {Anchor} anchor @param {Point} [point] */
    showingAnchor(anchor, point) { return this.#changed("showing_anchor", new Request().anchor(anchor).point(point)); }
    /** @param {Place} place */
    showingPlace(place) { return this.#changed("showing_place", new Request().place(place)); }

    // Changing. The place stays.

    /** @param {Size} viewport */
    resized(viewport) { return this.#changed("resized", new Request().size(viewport)); }
    /** Other options; those that are not given stay. @param {Configuration} options */
    reconfigured(options) { return this.#changed("reconfigured", new Request().configuration(options)); }
    /**
     * New sizes, and pages that have none.
     *
     * @param {MeasuredSizes[]} sizes
     * @param {Range[]} [missing]
     * @returns {{viewpoint: Viewpoint, invalidation: Invalidation}}
     */
    measured(sizes, missing = []) {
      const request = new Request().sizes(sizes);
      const reply = this.#ask("measured", request.list(missing, (range) => request.range(range)));
      return { viewpoint: new Viewpoint(reply), invalidation: reply.invalidation() };
    }
    /**
     * Another order of the pages.
     *
     * @param {Step[]} steps positions in a step are those after the steps before it
     * @returns {{viewpoint: Viewpoint, changes: PageChanges, invalidation: Invalidation}}
     */
    edited(steps) {
      const request = new Request();
      const reply = this.#ask("edited", request.list(steps, (step) => request.step(step)));
      return { viewpoint: new Viewpoint(reply), changes: reply.changes(), invalidation: reply.invalidation() };
    }

    // Asking. Without a window, the viewpoint's own.

    /** @type {Rect} the visible part of the content */
    get window() { return { ...this.offset, ...this.viewport }; }
    /** The visible spreads, the last ones on top. @param {Rect} [window] @returns {LaidOutSpread[]} */
    spreads(window) {
      const reply = this.#ask("spreads", new Request().rect(window));
      return reply.list(() => reply.spread());
    }
    /** @param {number} index @param {Rect} [window] @returns {LaidOutSpread | undefined} */
    spread(index, window) {
      const reply = this.#ask("spread", new Request().add(index).rect(window));
      return reply.isEmpty ? undefined : reply.spread();
    }
    /** @param {number} page @returns {number | undefined} the index of its spread */
    spreadOfPage(page) { return this.#ask("spread_of_page", new Request().add(page)).optional(); }
    /**
     * The page at a point of the content, and the point on it, in points from the displayed page's top left.
     *
     * @param {Point} point
     * @param {Rect} [window]
     * @returns {{page: LaidOutPage, point: Point} | undefined}
     */
    pageAt(point, window) {
      const reply = this.#ask("page_at", new Request().point(point).rect(window));
      return reply.isEmpty ? undefined : { page: reply.page(), point: reply.point() };
    }
    /**
     * What is at a point of the viewport: without one, where reading starts.
     *
     * @param {Point} [point]
     * @param {Point} [offset]
     * @returns {Anchor | undefined}
     */
    anchor(point, offset) {
      const reply = this.#ask("anchor", new Request().point(offset).point(point));
      return reply.isEmpty ? undefined : reply.anchor();
    }
    /** The offset that brings an anchor to a point of the viewport. @param {Anchor} anchor @param {Point} [point] */
    offsetOfAnchor(anchor, point) { return this.#offset("offset_of_anchor", new Request().anchor(anchor).point(point)); }
    /** The offset that shows a page plus a fraction of it. @param {number} page @param {number} [fraction] */
    offsetOfPage(page, fraction) { return this.#offset("offset_of_page", new Request().add(page, fraction)); }
    /** The next offset at which a spread begins. @param {"forward" | "backward"} direction */
    spreadStop(direction) { return this.#offset("stop", new Request().add(direction === "backward" ? -1 : 1, 0)); }
    /** The next offset by a screen. @param {"forward" | "backward"} direction @param {number} [overlap] */
    screenStop(direction, overlap) {
      return this.#offset("stop", new Request().add(direction === "backward" ? -1 : 1, 1, overlap));
    }
    /** @returns {Point | undefined} */
    #offset(name, request) {
      const reply = this.#ask(name, request);
      return reply.isEmpty ? undefined : reply.point();
    }
    /** The unmeasured pages that decide the frames in a window. Ask again after measuring them. @param {Rect} [window] */
    unmeasuredPages(window) { return this.#ask("unmeasured_pages", new Request().add(0).rect(window)).ranges(); }
    /** The unmeasured pages inside a window. @param {Rect} [window] */
    unmeasuredPagesInside(window) { return this.#ask("unmeasured_pages", new Request().add(1).rect(window)).ranges(); }
    /** What has moved since another viewpoint of the document. @param {Viewpoint} old @returns {Invalidation} */
    invalidationSince(old) { return replyAt(engine.invalidation(this.address, old.address)).invalidation(); }
    /** The way of each page to another viewpoint. @param {Viewpoint} end */
    transition(end) { return new Transition(replyAt(engine.transition(this.address, end.address))); }
  }

  /** The position of each page at any time between two viewpoints. */
  class Transition extends Held {
    /** @param {Reply} reply */
    constructor(reply) {
      super(reply.number());
      /** The center of the rotation, in coordinates of the viewport. */
      this.pivot = { start: reply.point(), end: reply.point() };
      /** Clockwise degrees. */
      this.angle = { start: reply.number(), end: reply.number() };
      /** The start and end of each page's path, in coordinates of the viewport. */
      this.motions = reply.list(() => reply.motion());
    }
    /**
     * The visible pages at a time, the last ones on top.
     *
     * @param {number} progress from 0 to 1
     * @returns {{viewport: Size, pages: MovingPage[]}}
     */
    at(progress) {
      const reply = replyAt(engine.pages_in_transition(this.address, progress));
      return { viewport: reply.size(), pages: reply.list(() => reply.movingPage()) };
    }
  }

  return { Viewpoint, Transition };
}
