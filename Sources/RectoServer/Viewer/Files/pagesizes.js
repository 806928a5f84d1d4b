// The sizes of a document's pages, which the server has in ranges: those around the reader first, then all others.

import { kept } from "./kept.js";

/** Pages of a range. */
const length = 1024;
/** Ranges that are asked for without need. */
const most = 64;
/** Milliseconds after which a range that failed is asked for again. */
const patience = 2000;

/** The sizes of one version of a document. */
export class PageSizes {
  #address;
  #pageCount;
  #take;
  /** Places of ranges that were asked for. */
  #known = new Set();
  #wanted = 0;
  #isFetching = false;

  /** `take` is called with the first page, from 0, and the widths and heights in turn from it on; NaN is not known. */
  constructor({ thumbnails, pages }, take) {
    this.#address = thumbnails.replace("/thumbnails/", "/sizes/").split("{size}")[0];
    this.#pageCount = pages;
    this.#take = take;
  }

  /** Fetches the sizes around a page, from 1, next. */
  want(number) {
    this.#wanted = Math.floor((number - 1) / length);
    this.#fetch();
  }

  /** The range that is nearest to the wanted one; undefined if all that are to be known are. */
  get #next() {
    const count = Math.ceil(this.#pageCount / length);
    for (let distance = 0; distance < Math.min(count, most); distance += 1) {
      const places = [this.#wanted + distance, this.#wanted - distance];
      const next = places.find((place) => place >= 0 && place < count && !this.#known.has(place));
      if (next !== undefined) return next;
    }
    return undefined;
  }

  async #fetch() {
    const place = this.#isFetching ? undefined : this.#next;
    if (place === undefined) return;
    this.#isFetching = true;
    this.#known.add(place);
    const first = place * length;
    const last = Math.min(first + length, this.#pageCount);
    try {
      const bytes = await (await kept.load(`${this.#address}${first + 1}-${last}`, { priority: "low" })).arrayBuffer();
      const view = new DataView(bytes);
      const numbers = Array.from({ length: bytes.byteLength >> 3 }, (_, index) => view.getFloat64(8 * index, true));
      this.#take(first, numbers);
    } catch {
      setTimeout(() => this.#known.delete(place), patience);
    }
    this.#isFetching = false;
    this.#fetch();
  }
}
