// The window onto the document: scrolling of any length, zoom, and the scenes that follow.
//
// Browsers end elements at 16 to 33 million pixels. So the browser scrolls over a bounded length, and an
// origin says where in the content that length begins. The origin moves while the scroll position rests.

import { ExpectedSpreads, farthest } from "./expected.js";
import { LocalLayout } from "./locallayout.js";
import { Pages } from "./pages.js";
import { Zoom } from "./zoom.js";

/** The longest side that the browser scrolls over, in CSS pixels. */
const longestSide = 4_000_000;
/** Milliseconds after the last scroll event until the scroll position rests. */
const restTime = 150;
/** Seconds of movement that the overscan reaches ahead. */
const overscanTime = 0.4;

/**
 * Dispatches `scene` after each scene, `rest` when scrolling has ended, `zoomed` when the reader zooms, `resized` after
 * a change of the width, and `problem` with an error.
 */
export class Stage extends EventTarget {
  scene = null;
  #connection;
  #element;
  #spacer;
  #content;
  #origin = { x: 0, y: 0 };
  #velocity = { x: 0, y: 0 };
  #last = null;
  #pending = null;
  #isSending = false;
  #restTimer = 0;
  #zoom;
  /** Whether the reader has scrolled since the scroll position rested. */
  #hasMoved = false;
  /** Whether the scene ends at the viewport, because what is seen comes first. */
  #isBare = false;
  /** Requests to go somewhere that have no reply yet. The scroll position is not where the reader will be. */
  #jumps = 0;
  /** The spread of the last step that has no reply yet. */
  #target = null;
  #expected = new ExpectedSpreads();
  /** The layout in the browser, and how many requests have no reply yet whose scenes it has shown. */
  local = new LocalLayout();
  #ahead = 0;
  /** Where the viewport was when that was shown last. */
  #start = null;
  /** Tiles that came meanwhile: the server sends each once. */
  #early = [];
  /** The viewport and the distances around it that the server was told last. */
  #told = { viewport: null, overscan: {} };
  /** The first and the last spread on the page. */
  #shown = "";
  /** The size of the viewport, in layout units. */
  viewport;

  constructor(connection, { element, spacer, content }) {
    super();
    this.#connection = connection;
    this.#element = element;
    this.#spacer = spacer;
    this.#content = content;
    this.pages = new Pages(content, () => this.retry());
    this.#zoom = new Zoom(this, content);
    element.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.#measure();
    new ResizeObserver(() => this.#resized()).observe(element);
    connection.addEventListener("tile", ({ detail }) => this.#take(detail));
    for (const name of ["geometry", "reloaded", "reopened"]) {
      connection.addEventListener(name, ({ detail }) => this.#moved(detail));
    }
  }

  get scale() {
    return window.devicePixelRatio;
  }

  /** 1 while the reader moves to later pages or rests, -1 while to earlier ones. */
  get #direction() {
    const { x, y } = this.#velocity;
    if (this.layout?.axis !== "horizontal") return y < 0 ? -1 : 1;
    return (this.layout.rtl ? -x : x) < 0 ? -1 : 1;
  }

  /** Whether spreads rest in the viewport, so that it is not scrolled. */
  get rests() {
    const mode = this.layout?.mode;
    return mode === "paged" || mode === "carousel";
  }

  /** The top left of the viewport in the content. */
  get offset() {
    if (this.rests) return { ...this.#origin };
    return {
      x: this.#origin.x + this.#element.scrollLeft,
      y: this.#origin.y + this.#element.scrollTop,
    };
  }

  /** Takes the reply to a request that opened a document. */
  open(reply, layout) {
    this.pages.clear();
    this.layout = layout;
    this.#pending = null;
    // Geometries of another conversation have the same numbers.
    this.#expected = new ExpectedSpreads();
    [this.#start, this.#early] = [null, []];
    this.show(reply);
  }

  /** Has pages laid out in the browser from now on, if it can. */
  async layOutLocally() {
    await this.local.load();
    if (this.scene && !this.scene.isExpected) this.local.take(this.scene, this.layout);
  }

  // Moving

  /** Goes somewhere: the members of `view`. Only the newest request waits. */
  view(members) {
    this.#pending = { members, isFollowing: false, isExpected: this.expect("view", members) };
    this.#send();
  }

  /** Shows the scene that a request will lead to, if that is known here. Returns whether it is. */
  expect(op, members) {
    const viewport = op === "destination" ? undefined : this.#changedViewport(this.scene?.viewport);
    if (!this.scene || (op === "view" && !viewport && Object.keys(members).length === 0)) return false;
    const { width, height } = this.viewport;
    const { left = 0, right = 0, top = 0, bottom = 0 } = this.#told.overscan;
    const around = { x: Math.max(left, right, width / 2), y: Math.max(top, bottom, height / 2) };
    const [{ scene, offset }, layout] = [this, this.layout];
    const expected = this.local.expect(op, { viewport, ...members }, { scene, offset, layout, around });
    if (!expected) return false;
    if (members.layout) this.layout = { ...layout, ...members.layout };
    this.show(expected);
    this.#start = this.offset;
    return true;
  }

  /** Asks for a scene. `isExpected`: it is shown already. Returns a promise of the reply. */
  async ask(op, members, isExpected) {
    if (isExpected) this.#ahead += 1;
    try {
      return await this.#jump(() => this.#tell(op, members));
    } catch (error) {
      // What is shown may not be what the server has.
      if (error.code !== "broken") setTimeout(() => this.scene?.isExpected && !this.#isAhead && this.view({}));
      throw error;
    } finally {
      if (isExpected) this.#ahead -= 1;
    }
  }

  /** Sends a request, and remembers what it tells. */
  #tell(op, members) {
    this.#told = { viewport: members.viewport ?? this.#told.viewport, overscan: members.overscan ?? this.#told.overscan };
    const reply = this.#connection.ask(op, members);
    // A request that fails changes nothing.
    reply.catch(() => (this.#told.viewport = null));
    return reply;
  }

  /** Whether what is shown is later than the newest reply: it stays until the last one has come. */
  get #isAhead() {
    return this.#ahead > 0 || this.#pending?.isExpected === true || this.#zoom.isAhead;
  }

  /** Tells where the browser has scrolled to, unless the reader goes elsewhere. */
  #follow() {
    if (this.#jumps > 0 || this.#pending?.isFollowing === false) return;
    this.#hasMoved = true;
    if (this.#isBare) {
      this.#isBare = false;
      // The pages around are about to be seen.
      this.#shown = "";
      this.#showPages();
    }
    const members = { offset: this.offset, geometry: this.scene.geometry };
    this.#pending = { members, isFollowing: true };
    this.#send();
  }

  /** Scrolls by a distance, as a key or a wheel does. */
  scrollBy(x, y) {
    if (this.rests) this.view({ by: { x, y } });
    else this.#element.scrollBy({ left: x, top: y });
  }

  /** Goes to another spread. */
  step(distance) {
    if (!this.scene) return;
    const index = (this.#target ?? this.currentSpread) + distance;
    if (index < 0) return;
    this.#target = index;
    this.view({ spread: index });
  }

  /** Whether the current spread is in the viewport as a whole, because it is fitted to that. */
  get showsWhole() {
    if (this.layout?.fit !== "page" || !this.scene) return false;
    const spread = this.scene.spreads.find((spread) => spread.index === this.currentSpread);
    const { width, height } = this.viewport;
    return spread !== undefined && spread.frame.width <= width + 1 && spread.frame.height <= height + 1;
  }

  /** Has pages drawn again that could not be drawn: the server tries those that come into sight. */
  async retry() {
    try {
      await this.#jump(() => this.#connection.ask("view", { viewport: { width: 0, height: 0 }, overscan: {} }));
      this.view({ viewport: this.viewport });
    } catch (error) {
      this.report(error);
    }
  }

  get currentSpread() {
    const { spreads, current } = this.scene;
    const shown = spreads.find((spread) => spread.pages.some((page) => page.number === current));
    return (shown ?? spreads[0])?.index ?? 0;
  }

  /** Asks for a scene and shows it at once. Returns a promise of the reply. */
  async go(op, members) {
    // What waits is another place; another viewport is a member of these requests, except for `destination`.
    [this.#pending, this.#target] = [null, null];
    const isJump = op === "view";
    const viewport = op === "destination" ? undefined : this.#changedViewport();
    const overscan = isJump ? {} : undefined;
    this.#isBare = isJump;
    const isExpected = this.expect(op, members);
    const asking = this.ask(op, { ...members, viewport, overscan }, isExpected);
    // The reader stays where the pages around are wanted.
    asking.catch(() => (this.#isBare = false));
    const reply = await asking;
    if (reply.layout && !this.#isAhead) this.layout = reply.layout;
    this.#isBare = isJump;
    this.show(reply);
    this.#expand();
    if (!this.#pending && this.#changedViewport()) this.view({});
    return reply;
  }

  /** Asks for another place. The scroll position is not followed until the reply. */
  async #jump(ask) {
    this.#jumps += 1;
    try {
      return await ask();
    } finally {
      this.#jumps -= 1;
    }
  }

  /** Asks for the pages around the viewport, once those in it are there. */
  #expand() {
    if (!this.#isBare || this.#jumps > 0 || !this.pages.isComplete) return;
    this.#isBare = false;
    if (!this.#pending) this.view({});
  }

  /** Zooms by a factor about a point of the viewport, up to the largest scale. The picture follows at once, tiles later. */
  zoomBy(factor, about) {
    this.#zoom.by(factor, about);
  }

  /** Makes the zoom as small as the largest scale demands: an address can have any. */
  boundZoom() {
    this.#zoom.bound();
  }

  // Scrolling

  #scrolled() {
    if (this.rests || !this.scene) return;
    const now = performance.now();
    const offset = this.offset;
    if (this.#last && now > this.#last.time) {
      const seconds = Math.max(now - this.#last.time, 8) / 1000;
      for (const axis of ["x", "y"]) {
        const velocity = (offset[axis] - this.#last.offset[axis]) / seconds;
        this.#velocity[axis] = 0.6 * this.#velocity[axis] + 0.4 * velocity;
      }
    }
    this.#last = { time: now, offset };
    this.pages.fetches.move(Math.hypot(this.#velocity.x / this.viewport.width, this.#velocity.y / this.viewport.height));
    this.#showPages();
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#rest(), restTime);
    // What a scene has caused is known to the server.
    const { x, y } = this.scene.viewport;
    if (Math.abs(offset.x - x) >= 1 || Math.abs(offset.y - y) >= 1) this.#follow();
  }

  #rest() {
    this.#velocity = { x: 0, y: 0 };
    this.#last = null;
    this.pages.fetches.move(0);
    this.#rebase(this.offset);
    if (this.scene && !this.rests && this.#hasMoved) this.#follow();
    this.#hasMoved = false;
    this.dispatchEvent(new Event("rest"));
  }

  #resized() {
    const { width } = this.viewport;
    this.#measure();
    if (!this.scene) return;
    this.view({});
    if (this.viewport.width !== width) this.dispatchEvent(new Event("resized"));
  }

  /** Reads the size here alone: elsewhere the browser would have to lay out the page for it. */
  #measure() {
    this.viewport = { width: this.#element.clientWidth, height: this.#element.clientHeight };
  }

  async #send() {
    if (this.#isSending || !this.#pending) return;
    this.#isSending = true;
    while (this.#pending) {
      const { members, isFollowing, isExpected } = this.#pending;
      this.#pending = null;
      try {
        const start = performance.now();
        const request = {
          viewport: this.#changedViewport(),
          scale: this.scale,
          velocity: this.#velocity,
          overscan: this.#overscan(),
          ...members,
        };
        const reply = await (isFollowing ? this.#tell("view", request) : this.ask("view", request, isExpected));
        this.pages.fetches.took((performance.now() - start) / 1000);
        this.show(reply, isFollowing);
      } catch (error) {
        this.report(error);
        if (error.code === "broken") break;
      } finally {
        if (!this.#pending) this.#target = null;
      }
      await new Promise((resolve) => setTimeout(resolve, 8));
    }
    this.#isSending = false;
  }

  /** The size of the viewport if it is another one than the server knows. */
  #changedViewport(known = this.#told.viewport) {
    const { width, height } = this.viewport;
    if (known && known.width === width && known.height === height) return undefined;
    return { width, height };
  }

  /** How far around the viewport pages are wanted: half a viewport, and more in the direction of movement. */
  #overscan() {
    const { width, height } = this.viewport;
    const isHorizontal = this.layout?.axis === "horizontal";
    const side = (length, velocity) =>
      Math.min(2 * length, length / 2 + Math.max(0, velocity) * overscanTime);
    const { x, y } = this.#velocity;
    return isHorizontal
      ? { left: side(width, -x), right: side(width, x), top: 0, bottom: 0 }
      : { top: side(height, -y), bottom: side(height, y), left: 0, right: 0 };
  }

  // Scenes

  /** Shows a scene. `isFollowing`: the scroll position has caused it and stays. */
  show(scene, isFollowing = false) {
    if (!scene.isExpected && this.#isAhead) return;
    if (scene.refusal) this.report(scene.refusal);
    this.scene = scene;
    if (scene.thumbnails) this.local.open(scene);
    if (!scene.isExpected) {
      this.#told.viewport = scene.viewport;
      this.local.take(scene, this.layout);
    }
    if (this.rests) {
      // On whole device pixels, as tiles are.
      const snap = (value) => Math.round(value * scene.pixelScale) / scene.pixelScale;
      this.#origin = { x: snap(scene.viewport.x), y: snap(scene.viewport.y) };
      this.#setSpacer(0, 0);
    } else if (!isFollowing) {
      this.#rebase(scene.isExpected ? scene.viewport : this.#goneOn(scene.viewport));
    } else {
      this.#setSpacer(scene.content.width, scene.content.height);
    }
    this.#element.classList.toggle("rests", this.rests);
    if (!scene.isExpected) this.#expected.take(scene);
    this.#shown = "";
    this.#showPages();
    this.dispatchEvent(new CustomEvent("scene", { detail: scene }));
    if (scene.isExpected) return;
    for (const tile of this.#early.splice(0)) this.pages.take(tile);
  }

  /** Where the viewport is, for a reader who has scrolled on since the expected scene was shown. */
  #goneOn({ x, y }) {
    const [start, offset] = [this.#start, this.offset];
    this.#start = null;
    if (!start) return { x, y };
    const [right, down] = [offset.x - start.x, offset.y - start.y];
    return Math.abs(right) < 1 && Math.abs(down) < 1 ? { x, y } : { x: x + right, y: y + down };
  }

  /** Shows the pages of the scene, and those around the viewport of which no scene has told yet. */
  #showPages() {
    const { scene, offset } = this;
    const { width, height } = this.viewport;
    const around = { x: offset.x - width, y: offset.y - height, width: 3 * width, height: 3 * height };
    const axis = this.layout?.axis;
    const spreads = this.rests ? scene.spreads : this.#around(around);
    const shown = `${spreads[0]?.index}-${spreads.at(-1)?.index}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.pages.show({ ...scene, spreads }, this.#origin);
    const [start, length] = axis === "horizontal" ? ["x", "width"] : ["y", "height"];
    const [from, to] = [offset[start], offset[start] + this.viewport[length]];
    const pages = spreads.flatMap((spread) => spread.pages);
    const seen = pages.filter(({ frame }) => frame[start] < to && frame[start] + frame[length] > from);
    this.pages.coarse.prefetch(seen.map((page) => page.number), this.#direction, this.#isBare);
  }

  /** The spreads of the scene, and others in a window of the content. */
  #around(window) {
    const { scene } = this;
    const others = this.local.within(window);
    if (!others) return this.#expected.within(window, scene, this.layout?.axis, this.pages.coarse.pageCount);
    const indices = scene.spreads.map(({ index }) => index);
    const [first, last] = [Math.min(...indices) - farthest, Math.max(...indices) + farthest];
    const near = others.filter(({ index }) => index >= first && index <= last);
    const known = new Map([...near, ...scene.spreads].map((spread) => [spread.index, spread]));
    return [...known.values()].sort((one, other) => one.index - other.index);
  }

  /** Takes an event after which the content lies elsewhere. What is seen stays where it is. */
  #moved(scene) {
    const adjustment = scene.invalidation?.offsetAdjustment;
    if (this.#isAhead) return;
    if (!adjustment || this.rests) return this.show(scene);
    // The scroll position stays, so that a movement goes on; it is made right when that rests.
    this.#origin.x += adjustment.x;
    this.#origin.y += adjustment.y;
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#rest(), restTime);
    this.show(scene, true);
  }

  async #take(tile) {
    if (this.scene?.isExpected) this.#early.push(tile);
    await this.pages.take(tile);
    this.#expand();
    this.dispatchEvent(new CustomEvent("tile", { detail: tile }));
  }

  /** Chooses an origin from which the whole content, or enough of it, can be scrolled to. */
  #rebase(offset) {
    if (!this.scene || this.rests) return;
    const { width, height } = this.scene.content;
    const grid = this.scale;
    const place = (value, length) => {
      if (length <= longestSide) return 0;
      const start = Math.min(Math.max(value - longestSide / 2, 0), length - longestSide);
      return Math.round(start * grid) / grid;
    };
    const origin = { x: place(offset.x, width), y: place(offset.y, height) };
    const isNear = (axis, length) =>
      length > longestSide &&
      Math.abs(origin[axis] - this.#origin[axis]) < longestSide / 4 &&
      this.#origin[axis] >= 0;
    if (isNear("x", width)) origin.x = this.#origin.x;
    if (isNear("y", height)) origin.y = this.#origin.y;
    this.#origin = origin;
    this.#setSpacer(width, height);
    const [left, top] = [offset.x - origin.x, offset.y - origin.y];
    if (Math.abs(this.#element.scrollLeft - left) >= 0.5 / grid) this.#element.scrollLeft = left;
    if (Math.abs(this.#element.scrollTop - top) >= 0.5 / grid) this.#element.scrollTop = top;
    this.pages.move(this.#origin);
  }

  #setSpacer(width, height) {
    const side = (length, start) => Math.max(0, Math.min(length - start, longestSide));
    this.#spacer.style.width = `${side(width, this.#origin.x)}px`;
    this.#spacer.style.height = `${side(height, this.#origin.y)}px`;
  }

  /** Where the viewport begins in the length that the browser scrolls over. */
  get scrolled() {
    return this.rests ? { x: 0, y: 0 } : { x: this.#element.scrollLeft, y: this.#element.scrollTop };
  }

  /** Dispatches an error, except that of a broken connection: that has an event of its own. */
  report(error) {
    if (error.code !== "broken") this.dispatchEvent(new CustomEvent("problem", { detail: error }));
  }
}
