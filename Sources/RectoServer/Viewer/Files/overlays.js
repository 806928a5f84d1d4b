// What lies on top of pages: selectable text, links and hits.

import { visible } from "./names.js";
import { isSafe } from "./places.js";
import { quadBox } from "./quads.js";
import { string } from "./strings.js";

/** Milliseconds that the viewport rests before text and links are shown. */
const delay = 120;
/** Milliseconds that they wait for tiles at the most: those come first. */
const most = 1200;
/** Pages whose text and links are remembered. */
const memory = 40;
/** The scale from which on text can be read: smaller pages have no text and no links. */
const leastScale = 0.4;

function isReadable({ page, place }) {
  if (!page?.size || !place) return false;
  const longer = ({ width, height }) => Math.max(width, height);
  return longer(place) >= leastScale * longer(page.size);
}

/** A word before it is turned about its top left corner: corners of slanted words are given. */
function turnedBox({ x, y, width, height, text, quad }) {
  if (quad) return quadBox(quad);
  const isVertical = height > 2 * width && text.length > 1;
  if (isVertical) return { left: x + width, top: y, width: height, height: width, angle: 90 };
  return { left: x, top: y, width, height, angle: 0 };
}

/** The overlays of the visible pages. */
export class Overlays {
  #viewer;
  #timer = 0;
  #contents = new Map();
  #context = document.createElement("canvas").getContext("2d");

  constructor(viewer) {
    this.#viewer = viewer;
    viewer.stage.addEventListener("scene", () => {
      this.#stretch();
      this.#wait(most / delay);
    });
    for (const name of ["reloaded", "reopened", "connected"]) {
      viewer.connection.addEventListener(name, () => this.#contents.clear());
    }
    // Line ends are those of the page; blocks of text are divided by spans.
    document.addEventListener("copy", (event) => this.#copy(event));
  }

  /** Waits until the viewport rests and tiles are there. */
  #wait(rounds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (rounds > 1 && !this.#viewer.stage.pages.isComplete) return this.#wait(rounds - 1);
      this.#place();
      this.#load();
    }, delay);
  }

  /** Fits what lies on the pages to their sizes. */
  #stretch() {
    for (const view of this.#viewer.stage.pages.views.values()) {
      if (!view.page?.size) continue;
      this.#fit(view);
      this.#viewer.search.mark(view);
    }
  }

  /** Asks for the text and the links of visible pages that have none yet. */
  async #load() {
    const numbers = new Set(this.#viewer.stage.pages.visible.filter(isReadable).map((view) => view.number));
    for (const number of numbers) {
      if (this.#contents.has(number)) continue;
      this.#contents.set(number, null);
      const [text, links] = await Promise.allSettled([
        this.#viewer.connection.ask("text", { page: number }),
        this.#viewer.connection.ask("links", { page: number }),
      ]);
      if (!this.#contents.has(number)) continue;
      this.#contents.set(number, {
        blocks: text.value?.blocks ?? [],
        links: links.value?.links ?? [],
      });
      while (this.#contents.size > memory) {
        this.#contents.delete(this.#contents.keys().next().value);
      }
      this.#place();
    }
  }

  /** Puts text, links and hits onto the pages that are shown. */
  #place() {
    for (const view of this.#viewer.stage.pages.views.values()) {
      if (!view.page?.size) continue;
      const content = this.#contents.get(view.number);
      if (content && view.content !== content && isReadable(view)) {
        view.content = content;
        view.overlay.replaceChildren(this.#text(content.blocks), ...this.#links(content.links));
        view.marks = null;
      }
      this.#viewer.search.mark(view);
    }
  }

  /** Everything is placed in points of the page, and scaled and turned as a whole. */
  #fit({ overlay, page, place }) {
    const angle = this.#viewer.stage.layout?.rotate ?? 0;
    const isSideways = angle % 180 !== 0;
    // Sizes are those of pages before the layout turns them.
    const { width, height } = page.size;
    const scale = place.width / (isSideways ? height : width);
    overlay.style.width = `${width}px`;
    overlay.style.height = `${height}px`;
    const x = angle === 90 || angle === 180 ? place.width : 0;
    const y = angle === 180 || angle === 270 ? place.height : 0;
    overlay.style.transform = `translate(${x}px, ${y}px) rotate(${angle}deg) scale(${scale})`;
  }

  #text(blocks) {
    const layer = document.createElement("div");
    layer.className = "text";
    for (const block of blocks) {
      for (const line of block.lines) {
        for (const [index, word] of line.words.entries()) {
          layer.append(this.#word(word, line, index < line.words.length - 1));
        }
        layer.append(document.createElement("br"));
      }
    }
    return layer;
  }

  /** A word at its place, as wide as on the page. */
  #word(word, line, hasSpace) {
    const span = document.createElement("span");
    span.textContent = hasSpace ? `${word.text} ` : word.text;
    const { left, top, width, height, angle } = turnedBox(word);
    const size = Math.max(height, 1);
    span.style.fontSize = `${size}px`;
    span.style.fontFamily = "sans-serif";
    this.#context.font = `${size}px sans-serif`;
    const drawn = this.#context.measureText(word.text).width || 1;
    span.style.left = `${left}px`;
    span.style.top = `${top}px`;
    span.style.transform = `${angle ? `rotate(${angle}deg) ` : ""}scaleX(${width / drawn})`;
    if (line.direction === "rightToLeft") span.dir = "rtl";
    return span;
  }

  #links(links) {
    return links.flatMap(({ areas, target }) => areas.map((area) => this.#link(area, target)));
  }

  #link(area, target) {
    const link = document.createElement("a");
    link.style.left = `${area.x}px`;
    link.style.top = `${area.y}px`;
    link.style.width = `${area.width}px`;
    link.style.height = `${area.height}px`;
    if (target.kind === "uri" && isSafe(target.uri)) {
      link.href = target.uri;
      link.title = visible(target.uri);
      link.target = "_blank";
      link.rel = "noopener noreferrer";
    } else if (target.kind === "page") {
      link.href = `#page=${encodeURIComponent(target.label)}`;
      link.title = visible(string("page", { page: target.label }));
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.#viewer.places.follow(target);
      });
    } else {
      link.title = visible(target.uri ?? target.file ?? target.action ?? target.name ?? "");
    }
    link.setAttribute("aria-label", link.title || string("link"));
    return link;
  }

  /** Copies the words of a selection, with the line ends of the page. */
  #copy(event) {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.anchorNode?.parentElement?.closest(".text")) return;
    const holder = document.createElement("div");
    holder.append(selection.getRangeAt(0).cloneContents());
    for (const end of holder.querySelectorAll("br")) end.replaceWith("\n");
    event.clipboardData.setData("text/plain", holder.textContent.replace(/ +\n/g, "\n"));
    event.preventDefault();
  }
}
