// A list of rows of one height, of which only those in sight exist.

/** The longest side that the browser scrolls over, in CSS pixels. */
const longestSide = 8_000_000;

/** Rows by their index, in an element that scrolls and one in it that is as high as all of them. */
export class Rows {
  #list;
  #content;
  #height;
  #make;
  #items = new Map();
  #count = 0;
  /** The height of the list; 0 while it is hidden. */
  #visible = 0;
  /** The first row in sight, and the one behind the last. */
  range = [0, 0];

  /** `make` makes the element of a row; `shown` is called when other rows are in sight. */
  constructor(list, content, { height, make, shown = () => {} }) {
    this.#list = list;
    this.#content = content;
    this.#height = height;
    this.#make = make;
    this.shown = shown;
    list.addEventListener("scroll", () => this.#show(), { passive: true });
    new ResizeObserver(() => this.#show()).observe(list);
  }

  /** Makes all rows anew. */
  reset(count) {
    for (const item of this.#items.values()) item.remove();
    this.#items.clear();
    this.#count = count;
    this.#content.style.height = `${Math.min(count * this.#height, longestSide)}px`;
    this.#show();
  }

  /** The element of a row; undefined if it is not in sight. */
  get(index) {
    return this.#items.get(index);
  }

  /** Rows for each row's height, where there are too many for the browser to scroll over. */
  get #factor() {
    return Math.max(1, (this.#count * this.#height) / longestSide);
  }

  /** Scrolls to a row that is out of sight: to the middle, or as little as needed. */
  reveal(index, isInMiddle = false) {
    const [top, visible] = [(index * this.#height) / this.#factor, this.#visible];
    const { scrollTop } = this.#list;
    if (visible === 0 || (top >= scrollTop && top + this.#height <= scrollTop + visible)) return;
    const end = top + this.#height - visible;
    this.#list.scrollTop = isInMiddle ? (top + end) / 2 : top < scrollTop ? top : end;
    this.#show();
  }

  #show() {
    const visible = (this.#visible = this.#list.clientHeight);
    if (visible === 0) return;
    const top = this.#list.scrollTop;
    const first = Math.max(0, Math.floor((top * this.#factor) / this.#height) - 1);
    const last = Math.min(this.#count, first + Math.ceil(visible / this.#height) + 3);
    for (const [index, item] of this.#items) {
      if (index >= first && index < last) continue;
      item.remove();
      this.#items.delete(index);
    }
    // Where pixels stand for several rows, rows begin at the scroll position.
    const isLong = this.#factor > 1;
    const shift = isLong ? top - ((top * this.#factor) % this.#height) - (first + 1) * this.#height : 0;
    for (let index = first; index < last; index += 1) {
      let item = this.#items.get(index);
      if (!item) {
        item = this.#make(index);
        this.#items.set(index, item);
        this.#content.append(item);
      }
      item.style.top = `${index * this.#height + shift}px`;
    }
    this.range = [first, last];
    this.shown();
  }
}
