// The thumbnails of all pages, of which only those in sight exist.

const rowHeight = 180;
/** The longest side that the browser scrolls over, in CSS pixels. */
const longestSide = 8_000_000;
/** Pages whose labels are asked for together. */
const labelsAtOnce = 50;
/** Labels that are remembered. */
const labelMemory = 2000;

/** A list of thumbnails. */
export class Strip {
  #viewer;
  #list = document.getElementById("strip");
  #content = document.getElementById("strip-content");
  #items = new Map();
  #labels = new Map();
  #asked = new Set();
  #current = 0;
  /** 0 while the list is hidden. */
  #height = 0;

  constructor(viewer) {
    this.#viewer = viewer;
    this.#list.addEventListener("scroll", () => this.#show(), { passive: true });
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#show()).observe(this.#list);
    viewer.stage.addEventListener("scene", ({ detail }) => this.#follow(detail.current));
  }

  /** Forgets all thumbnails: the document is another one. */
  reset() {
    for (const item of this.#items.values()) item.remove();
    this.#items.clear();
    this.#labels.clear();
    this.#asked.clear();
    this.#content.style.height = `${Math.min(this.#count * rowHeight, longestSide)}px`;
    this.#show();
  }

  get #count() {
    return this.#viewer.info?.pages ?? 0;
  }

  /** Pages for each pixel, where there are too many for the browser to scroll over. */
  get #factor() {
    return Math.max(1, (this.#count * rowHeight) / longestSide);
  }

  #show() {
    const height = (this.#height = this.#list.clientHeight);
    if (height === 0 || this.#count === 0) return;
    const top = this.#list.scrollTop;
    const first = Math.max(0, Math.floor((top * this.#factor) / rowHeight) - 1);
    const last = Math.min(this.#count, first + Math.ceil(height / rowHeight) + 3);
    for (const [number, item] of this.#items) {
      if (number > first && number <= last) continue;
      item.remove();
      this.#items.delete(number);
    }
    // Where pixels stand for several pages, rows begin at the scroll position.
    const shift = this.#factor > 1 ? top - ((top * this.#factor) % rowHeight) - first * rowHeight - rowHeight : 0;
    for (let number = first + 1; number <= last; number += 1) {
      let item = this.#items.get(number);
      if (!item) {
        item = this.#make(number);
        this.#items.set(number, item);
        this.#content.append(item);
      }
      item.style.top = `${(number - 1) * rowHeight + shift}px`;
    }
    this.#askLabels(first + 1);
    this.#askLabels(last);
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
    image.src = this.#viewer.info.thumbnails.replace("{size}", size).replace("{page}", number);
    const label = document.createElement("span");
    label.textContent = this.#labels.get(number) ?? number;
    item.append(image, label);
    item.addEventListener("click", () => this.#viewer.places.jump({ number }));
    return item;
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
        const item = this.#items.get(number);
        if (item) item.lastChild.textContent = label;
      }
    } catch {
      // Numbers stay in place of labels.
      this.#asked.delete(block);
    }
  }

  /** Marks the current page, and scrolls to it if it is out of sight. */
  #follow(current) {
    if (!current || current === this.#current) return;
    this.#items.get(this.#current)?.setAttribute("aria-selected", "false");
    this.#current = current;
    this.#items.get(current)?.setAttribute("aria-selected", "true");
    this.#list.setAttribute("aria-activedescendant", `thumbnail-${current}`);
    const top = ((current - 1) * rowHeight) / this.#factor;
    if (this.#height === 0) return;
    const { scrollTop } = this.#list;
    if (top < scrollTop || top + rowHeight > scrollTop + this.#height) {
      this.#list.scrollTop = top - this.#height / 2 + rowHeight / 2;
    }
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
