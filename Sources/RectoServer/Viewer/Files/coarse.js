// Small pictures of pages, which are shown until the tiles of a page come. They come in sheets of 64 pages, each one
// request, ahead of the reader.

import { atOnce } from "./fetching.js";

/** The longer side in pixels of the pictures on a sheet, and of the picture of a page that the reader jumps to. */
const [sheetSide, jumpSide] = [128, 256];
/** Pages on a sheet. */
const sheetLength = 64;
/** Sheets that are kept. */
const memory = 32;
/** Viewports and pages that are fetched ahead in the direction of movement, and in the other one. */
const usual = { ahead: { viewports: 4, pages: 16 }, behind: { viewports: 1, pages: 4 } };
/** The same once the reader rests: a grid, which may come next, shows some forty pages. */
const atRest = { ahead: { viewports: 4, pages: 48 }, behind: { viewports: 1, pages: 12 } };
/** Milliseconds until the reader rests. */
const restTime = 600;
/** Milliseconds after which a sheet that failed is fetched again. */
const patience = 2000;

/** The address of a page's picture, of a size that the server has. WebP has a third of the bytes of PNG. */
export function thumbnail(template, size, number) {
  return template.replace("{size}", size).replace("{page}.png", `${number}.webp`);
}

/** The pictures on a sheet of some pages from `first` on, as parts of its bytes; null for a page that has none. */
export function picturesOnSheet(bytes, first) {
  const view = new DataView(bytes);
  const pictures = new Map();
  for (let place = 0, number = first; place + 4 <= bytes.byteLength; number += 1) {
    const length = view.getUint32(place);
    pictures.set(number, length > 0 ? bytes.slice(place + 4, place + 4 + length) : null);
    place += 4 + length;
  }
  return pictures;
}

/** Some pages, and the pages around them that are fetched ahead: the first, first visible, last visible and last one. */
function pagesAround(numbers, direction, { ahead, behind } = usual) {
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const reach = ({ viewports, pages }) => Math.max(pages, viewports * (last - first + 1));
  const [before, after] = direction > 0 ? [reach(behind), reach(ahead)] : [reach(ahead), reach(behind)];
  return [first - before, first, last, last + after];
}

/**
 * The sheets with some pages and those around them, in the order in which they are wanted. `direction`: 1 to later pages,
 * -1 to earlier ones.
 */
export function wantedSheets(numbers, direction, pageCount, reach = usual) {
  if (numbers.length === 0) return [];
  const [from, first, last, to] = pagesAround(numbers, direction, reach);
  const sheet = (number) => Math.floor((Math.min(Math.max(number, 1), pageCount) - 1) / sheetLength);
  const range = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  const later = range(sheet(last) + 1, sheet(to));
  const earlier = range(sheet(from), sheet(first) - 1).reverse();
  const around = direction > 0 ? [...later, ...earlier] : [...earlier, ...later];
  return [...range(sheet(first), sheet(last)), ...around].slice(0, memory);
}

/** The small pictures of a document. */
export class CoarsePictures {
  /** The address of a picture, with `{size}` and `{page}`; null while no document is open. */
  #template = null;
  /** The pages of the document. */
  pageCount = 0;
  /** Sheets by their place; those used last are the last. Each has the bytes of its pages once it is there, and images. */
  #sheets = new Map();
  #wanted = [];
  #restTimer = 0;
  /** The pages whose pictures are decoded ahead; null if there are none. */
  #near = null;
  #fetching = 0;
  /** Elements of pages that have no picture yet. */
  #waiting = new Map();
  /** Loaded images that are elements of pages. */
  #used = new Set();
  /** Whether sheets are not fetched, and pictures around not decoded yet. */
  #isPatient = false;
  /** The picture of the page that the reader has jumped to, like a sheet of one page; number 0 if there is none. */
  #jump = { ...newSheet(), number: 0 };
  #bytesAt;

  /** `load` returns a promise of the bytes at an address, and takes the options of `fetch`. */
  constructor(load) {
    this.#bytesAt = load;
  }

  /** Takes a document. */
  open({ thumbnails, pages }) {
    if (thumbnails === this.#template) return;
    clearTimeout(this.#restTimer);
    this.#template = thumbnails;
    this.pageCount = pages;
    for (const sheet of this.#sheets.values()) drop(sheet);
    this.#sheets.clear();
    this.#wanted = [];
    this.#replaceJump({ ...newSheet(), number: 0 });
  }

  /** An element with the picture of a page; null if there is no document. */
  element(number) {
    if (!this.#template) return null;
    const picture = this.#picture(number);
    // A copy would be loaded once more, which takes a frame or two.
    const element = !picture ? new Image() : this.#used.has(picture) ? picture.cloneNode() : picture;
    if (element === picture) this.#used.add(element);
    element.className = "coarse";
    element.alt = "";
    // In the frame in which it appears.
    element.decoding = "sync";
    if (!element.src) this.#wait(number, element);
    return element;
  }

  #wait(number, element) {
    if (!this.#waiting.has(number)) this.#waiting.set(number, new Set());
    this.#waiting.get(number).add(element);
    const sheet = this.#sheet(number);
    if (!sheet?.pictures) return;
    // A page that could not be drawn may be drawn by now.
    if (!this.#decode(sheet, number)) this.load(number);
  }

  /** Takes back an element of a page that has left the viewport. */
  release(element, number) {
    this.#used.delete(element);
    this.#waiting.get(number)?.delete(element);
    if (this.#waiting.get(number)?.size === 0) this.#waiting.delete(number);
  }

  /** Fetches the picture of a page that the reader jumps to: it is there before its sheet. */
  async load(number) {
    if (!this.#template || this.#picture(number) || this.#jump.number === number) return;
    const jump = { ...newSheet(), number };
    this.#replaceJump(jump);
    try {
      const address = thumbnail(this.#template, jumpSide, number);
      const bytes = await this.#bytesAt(address, { priority: "high", signal: jump.end.signal });
      if (this.#jump !== jump) return;
      jump.pictures = new Map([[number, bytes]]);
      this.#decode(jump, number);
    } catch {
      if (this.#jump !== jump) return;
      // The sheet may have it.
      [jump.number, this.#isPatient] = [0, false];
      this.#fetch();
    }
  }

  /** Drops the picture of an earlier jump, which is not waited for. */
  #replaceJump(jump) {
    drop(this.#jump);
    this.#jump = jump;
  }

  /**
   * Fetches the pictures of visible pages, and of those around them. `direction`: 1 to later pages, -1 to earlier ones.
   * `isPatient`: the tiles come first, unless a visible page has no picture: the server would draw both at the same time.
   */
  prefetch(numbers, direction, isPatient) {
    if (!this.#template) return;
    this.#isPatient = isPatient && numbers.every((number) => number === this.#jump.number || this.#picture(number));
    this.#want(numbers, direction, usual);
    clearTimeout(this.#restTimer);
    if (!this.#isPatient) this.#restTimer = setTimeout(() => this.#want(numbers, direction, atRest), restTime);
  }

  #want(numbers, direction, reach) {
    this.#wanted = wantedSheets(numbers, direction, this.pageCount, reach);
    // Those of a place that the reader has left would hold up its pages.
    const near = wantedSheets(numbers, direction, this.pageCount, atRest);
    for (const [place, { pictures, end }] of this.#sheets) {
      if (!pictures && !near.includes(place)) end.abort();
    }
    this.#near = numbers.length > 0 ? pagesAround(numbers, direction, reach) : null;
    this.#fetch();
    // What is seen is decoded by now, and is painted first.
    if (!this.#isPatient) requestAnimationFrame(() => setTimeout(() => this.#decodeAround()));
  }

  /** The picture of a page as it was loaded, if it is there. */
  #picture(number) {
    const images = [this.#jump, this.#sheet(number)].map((sheet) => sheet?.images.get(number));
    return images.find((image) => image?.naturalWidth > 0);
  }

  #sheet(number) {
    return this.#sheets.get(Math.floor((number - 1) / sheetLength));
  }

  #fetch() {
    if (this.#isPatient) return;
    for (const [index, place] of this.#wanted.entries()) {
      const known = this.#sheets.get(place);
      if (known) {
        this.#sheets.delete(place);
        this.#sheets.set(place, known);
      } else if (this.#fetching < atOnce.sheets) {
        this.#load(place, index === 0 ? "high" : "low");
      }
    }
    while (this.#sheets.size > memory) {
      const [oldest, sheet] = this.#sheets.entries().next().value;
      this.#sheets.delete(oldest);
      drop(sheet);
    }
  }

  async #load(place, priority) {
    const [template, sheet] = [this.#template, newSheet()];
    const first = place * sheetLength + 1;
    const last = Math.min(first + sheetLength - 1, this.pageCount);
    this.#sheets.set(place, sheet);
    this.#fetching += 1;
    const { signal } = sheet.end;
    try {
      const bytes = await this.#bytesAt(thumbnail(template, sheetSide, `${first}-${last}`), { priority, signal });
      sheet.pictures = picturesOnSheet(await bytes.arrayBuffer(), first);
      if (this.#sheets.get(place) === sheet) this.#decodeNear(place);
    } catch {
      const forget = () => this.#sheets.get(place) === sheet && this.#sheets.delete(place);
      if (signal.aborted) forget();
      else setTimeout(forget, patience);
    }
    this.#fetching -= 1;
    this.#fetch();
  }

  #decodeAround() {
    for (const place of this.#wanted) this.#decodeNear(place);
  }

  /** Decodes the pictures on a sheet that are waited for, or are near the visible pages. */
  #decodeNear(place) {
    const sheet = this.#sheets.get(place);
    if (!sheet?.pictures) return;
    const [from, , , to] = this.#near ?? [1, 0, 0, 0];
    for (const number of sheet.pictures.keys()) {
      if (this.#waiting.has(number) || (number >= from && number <= to)) this.#decode(sheet, number);
    }
  }

  /** Makes the image of a page on a sheet, which the waiting elements get. Returns whether there is one. */
  #decode({ pictures, images }, number) {
    const bytes = pictures.get(number);
    if (bytes && !images.has(number)) {
      const address = URL.createObjectURL(new Blob([bytes], { type: "image/webp" }));
      images.set(number, this.#image(address, number));
    }
    return Boolean(bytes);
  }

  /** An image that is shown by the elements that wait for it once it is loaded. */
  #image(address, number) {
    const image = new Image();
    image.fetchPriority = "high";
    const show = () => {
      for (const element of this.#waiting.get(number) ?? []) element.src = address;
      this.#waiting.delete(number);
    };
    image.addEventListener("load", show, { once: true });
    image.src = address;
    return image;
  }
}

/** A sheet whose bytes are not there yet. */
function newSheet() {
  return { pictures: null, images: new Map(), end: new AbortController() };
}

/** Frees the pictures of a sheet, or ends its fetching; elements that show them keep them. */
function drop({ images, end }) {
  end.abort();
  for (const image of images.values()) URL.revokeObjectURL(image.src);
}
