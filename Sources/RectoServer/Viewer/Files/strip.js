// The thumbnails of all pages, of which only those in sight exist.

import { thumbnail } from "./coarse.js";
import { atOnce } from "./fetching.js";
import { isolated } from "./names.js";
import { Rows } from "./rows.js";

const rowHeight = 180;
/** Pages whose labels are asked for together. */
const labelsAtOnce = 50;
/** Labels that are remembered. */
const labelMemory = 2000;

/** A list of thumbnails. */
export class Strip {
  #viewer;
  #list = document.getElementById("strip");
  #rows;
  #labels = new Map();
  #asked = new Set();
  #current = 0;
  /** Pictures that were not fetched yet, with their addresses. */
  #waiting = new Map();
  #fetching = 0;

  constructor(viewer) {
    this.#viewer = viewer;
    this.#rows = new Rows(this.#list, document.getElementById("strip-content"), {
      height: rowHeight,
      make: (index) => this.#make(index + 1),
      shown: () => this.#askVisibleLabels(),
    });
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    viewer.stage.addEventListener("scene", ({ detail }) => this.#follow(detail.current));
  }

  /** Forgets all thumbnails: the document is another one. */
  reset() {
    this.#labels.clear();
    this.#asked.clear();
    this.#rows.reset(this.#count);
  }

  get #count() {
    return this.#viewer.info?.pages ?? 0;
  }

  #make(number) {
    const item = document.createElement("div");
    item.className = "thumbnail";
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", number === this.#current);
    item.id = `thumbnail-${number}`;
    const image = document.createElement("img");
    image.alt = "";
    image.decoding = "async";
    const size = window.devicePixelRatio > 1.2 ? 512 : 256;
    this.#waiting.set(image, thumbnail(this.#viewer.info.thumbnails, size, number));
    this.#fetch();
    item.append(image, isolated(this.#labels.get(number) ?? String(number)));
    item.addEventListener("click", () => this.#viewer.places.jump({ number }));
    return item;
  }

  /** Fetches the pictures that wait and are still in sight. */
  async #fetch() {
    // A row that was just made is in the document then.
    await undefined;
    while (this.#fetching < atOnce.thumbnails && this.#waiting.size > 0) {
      const [image, address] = this.#waiting.entries().next().value;
      this.#waiting.delete(image);
      if (!image.isConnected) continue;
      this.#fetching += 1;
      image.src = address;
      await image.decode().catch(() => undefined);
      this.#fetching -= 1;
    }
  }

  #askVisibleLabels() {
    const [first, last] = this.#rows.range;
    if (first >= last) return;
    this.#askLabels(first + 1);
    this.#askLabels(last);
  }

  async #askLabels(number) {
    const block = Math.floor((number - 1) / labelsAtOnce);
    if (this.#asked.has(block)) return;
    this.#asked.add(block);
    try {
      const first = block * labelsAtOnce + 1;
      const { pages } = await this.#viewer.connection.ask("pages", { first, count: labelsAtOnce });
      if (this.#labels.size > labelMemory) {
        this.#labels.clear();
        this.#asked = new Set([block]);
      }
      for (const { number, label } of pages) {
        this.#labels.set(number, label);
        this.#rows.get(number - 1)?.lastChild.replaceWith(isolated(label));
      }
    } catch {
      // Numbers stay in place of labels.
      this.#asked.delete(block);
    }
  }

  /** Marks the current page, and scrolls to it if it is out of sight. */
  #follow(current) {
    if (!current || current === this.#current) return;
    this.#rows.get(this.#current - 1)?.setAttribute("aria-selected", "false");
    this.#current = current;
    this.#rows.get(current - 1)?.setAttribute("aria-selected", "true");
    this.#list.setAttribute("aria-activedescendant", `thumbnail-${current}`);
    this.#rows.reveal(current - 1, true);
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 }[event.key];
    const target =
      event.key === "Home" ? 1 : event.key === "End" ? this.#count : step ? this.#current + step : null;
    if (target === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.#viewer.places.go({ number: Math.min(Math.max(target, 1), this.#count) });
  }
}
