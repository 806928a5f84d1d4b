// Small pictures of pages: they are shown until the tiles of a page come, and fetched ahead of the reader.

/** The longer side in pixels. The sidebar uses pictures of the same size. */
const longerSide = 256;
/** Pages fetched ahead in the direction of movement, and in the other one. */
const [ahead, behind] = [16, 4];
/** Pictures fetched at a time, beside those of visible pages: the others are for tiles. */
const fetchesAtOnce = 2;
/** Pictures that are kept decoded. */
const memory = 400;

/** The address of a page's picture, of a size that the server has. WebP has a third of the bytes of PNG. */
export function thumbnail(template, size, number) {
  return template.replace("{size}", size).replace("{page}.png", `${number}.webp`);
}

/** The small pictures of a document. */
export class CoarsePictures {
  /** The address of a picture, with `{size}` and `{page}`; null while no document is open. */
  #template = null;
  /** The pages of the document. */
  pageCount = 0;
  /** Images by page; those used last are the last. */
  #images = new Map();
  #wanted = [];
  #fetching = 0;

  /** Takes a document. */
  open({ thumbnails, pages }) {
    if (thumbnails === this.#template) return;
    this.#template = thumbnails;
    this.pageCount = pages;
    this.#images.clear();
    this.#wanted = [];
  }

  /** An element with the picture of a page; null if there is no document. */
  element(number) {
    if (!this.#template) return null;
    const image = this.#image(number, "auto").cloneNode();
    image.className = "coarse";
    image.addEventListener("error", () => image.remove());
    return image;
  }

  /** Ends the fetching of a page's picture, which has left the viewport: those of pages in it would wait for it. */
  release(element, number) {
    if (element.complete) return;
    element.removeAttribute("src");
    const image = this.#images.get(number);
    if (!image || image.complete) return;
    image.removeAttribute("src");
    image.dispatchEvent(new Event("error"));
  }

  /** Fetches the picture of a page that is about to be seen. */
  load(number) {
    if (this.#template) this.#image(number, "high");
  }

  /** Fetches the pictures of pages around visible ones. `direction`: 1 if the reader moves to later pages, else -1. */
  prefetch(numbers, direction) {
    if (!this.#template || numbers.length === 0) return;
    const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
    const later = Array.from({ length: direction > 0 ? ahead : behind }, (_, index) => last + 1 + index);
    const earlier = Array.from({ length: direction > 0 ? behind : ahead }, (_, index) => first - 1 - index);
    const near = direction > 0 ? [...later, ...earlier] : [...earlier, ...later];
    this.#wanted = near.filter((number) => number >= 1 && number <= this.pageCount && !this.#images.has(number));
    this.#fetch();
  }

  #fetch() {
    while (this.#fetching < fetchesAtOnce && this.#wanted.length > 0) {
      const image = this.#image(this.#wanted.shift(), "low");
      this.#fetching += 1;
      const end = () => {
        this.#fetching -= 1;
        this.#fetch();
      };
      image.addEventListener("load", end, { once: true });
      image.addEventListener("error", end, { once: true });
    }
  }

  #image(number, priority) {
    let image = this.#images.get(number);
    this.#images.delete(number);
    if (!image) {
      image = new Image();
      image.alt = "";
      image.fetchPriority = priority;
      image.addEventListener("error", () => this.#images.delete(number), { once: true });
      image.src = thumbnail(this.#template, longerSide, number);
    }
    this.#images.set(number, image);
    if (this.#images.size > memory) this.#images.delete(this.#images.keys().next().value);
    return image;
  }
}
