// Search: hits in the order of pages, marks on pages, next and previous.

import { quadBox } from "./quads.js";
import { string } from "./strings.js";

/** Hits that are kept. */
const largestCount = 2000;
/** Hits that are listed; all of them are marked and can be stepped through. */
const largestList = 300;

const element = (id) => document.getElementById(id);

/** The search of a document. Dispatches `hit` when the reader goes to one. */
export class Search extends EventTarget {
  #viewer;
  #request = null;
  #hits = [];
  #pages = new Map();
  #current = -1;
  #generation = 0;
  #listTimer = 0;

  constructor(viewer) {
    super();
    this.#viewer = viewer;
    viewer.connection.addEventListener("hits", ({ detail }) => this.#take(detail));
    viewer.connection.addEventListener("broken", () => this.#end());
    element("search-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    element("words").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.shiftKey) {
        event.preventDefault();
        this.step(-1);
      }
    });
    element("hit-next").addEventListener("click", () => this.step(1));
    element("hit-previous").addEventListener("click", () => this.step(-1));
    element("search-stop").addEventListener("click", () => this.#stop());
  }

  /** Shows the field for words. */
  focus() {
    this.#viewer.sidebar.show("search");
    element("words").focus();
    element("words").select();
  }

  /** Searches for words as if they had been typed. Returns a promise of the numbers of hits and of searched pages. */
  find(words) {
    element("words").value = words;
    this.#stop();
    this.#clear();
    return words.trim() === "" ? Promise.resolve({ hits: 0, pages: 0 }) : this.#run(this.#query);
  }

  get #query() {
    return {
      words: element("words").value,
      caseSensitive: element("case").checked,
      wholeWords: element("whole").checked,
      diacritics: element("diacritics").checked,
    };
  }

  #submit() {
    const query = this.#query;
    const key = keyOf(query);
    // The same words again: the next hit.
    if (key === this.key && this.#hits.length > 0) return this.step(1);
    this.#stop();
    this.#clear();
    if (query.words.trim() === "") return;
    this.#run(query);
  }

  async #run(query) {
    this.key = keyOf(query);
    const { id, reply } = this.#viewer.connection.send("search", { ...query, maxCount: largestCount });
    this.#request = id;
    element("search-stop").hidden = false;
    this.#status(string("searching"));
    let found = { hits: 0, pages: 0 };
    try {
      const { hits, pages } = await reply;
      found = { hits, pages };
      const name = hits >= largestCount ? "moreHits" : "hitsFound";
      if (this.#request === id) this.#status(string(name, { hits, pages }));
    } catch (error) {
      if (this.#request === id) this.#status(error.message);
    }
    if (this.#request === id) this.#end();
    return found;
  }

  #stop() {
    if (this.#request !== null) this.#viewer.connection.cancel(this.#request);
    this.#end();
  }

  #end() {
    this.#request = null;
    element("search-stop").hidden = true;
    this.#list();
  }

  #clear() {
    this.#hits = [];
    this.#pages.clear();
    this.#current = -1;
    this.key = null;
    this.#generation += 1;
    this.#list();
    this.#markAll();
    this.#status("");
  }

  #status(text) {
    element("search-status").textContent = text;
  }

  /** Takes the hits of a page, which come nearest first, into the order of pages. */
  #take({ id, page, hits }) {
    if (id !== this.#request || !hits) return;
    const isFirst = this.#hits.length === 0;
    const found = hits.map((hit, index) => ({ ...hit, page, index }));
    const at = this.#hits.findIndex((hit) => hit.page > page);
    const place = at < 0 ? this.#hits.length : at;
    this.#hits.splice(place, 0, ...found);
    if (this.#current >= place) this.#current += found.length;
    this.#pages.set(page, found);
    this.#generation += 1;
    this.#markAll();
    clearTimeout(this.#listTimer);
    this.#listTimer = setTimeout(() => this.#list(), 100);
    this.#status(string("hitsSoFar", { hits: this.#hits.length }));
    if (isFirst) this.#goTo(place);
  }

  /** Goes to the next or the previous hit. */
  step(distance) {
    if (this.#hits.length === 0) return;
    const count = this.#hits.length;
    this.#goTo((this.#current + distance + count) % count);
  }

  async #goTo(index) {
    const hit = this.#hits[index];
    this.#current = index;
    this.#generation += 1;
    this.#list();
    const { page, match, before, after } = hit;
    this.dispatchEvent(new CustomEvent("hit", { detail: { page, match, before, after, index, count: this.#hits.length } }));
    const { stage, places } = this.#viewer;
    const shown = stage.pages.visible.find((view) => view.number === hit.page);
    const area = hit.areas?.[0];
    places.push();
    if (!shown) await places.go({ number: hit.page, fraction: 0 });
    const view = stage.pages.of(hit.page)[0];
    if (area && view && !stage.rests) {
      const height = view.page.size.height;
      const above = stage.viewport.height / 3 / (view.place.height / height);
      await places.go({ number: hit.page, fraction: (area.y - above) / height });
    }
    this.#markAll();
  }

  #list() {
    const start = Math.max(0, Math.min(this.#current - largestList / 2, this.#hits.length - largestList));
    const shown = this.#hits.slice(start, start + largestList);
    element("hits").replaceChildren(...shown.map((hit, index) => this.#item(hit, start + index)));
    element("hit-next").disabled = this.#hits.length === 0;
    element("hit-previous").disabled = this.#hits.length === 0;
  }

  #item(hit, index) {
    const item = document.createElement("li");
    const match = document.createElement("mark");
    match.textContent = hit.match;
    const label = document.createElement("span");
    label.className = "page-label";
    label.textContent = hit.page;
    item.append(label, hit.before, match, hit.after);
    item.tabIndex = 0;
    if (index === this.#current) item.setAttribute("aria-current", "true");
    item.addEventListener("click", () => this.#goTo(index));
    item.addEventListener("keydown", ({ key }) => {
      if (key === "Enter") this.#goTo(index);
    });
    return item;
  }

  #markAll() {
    for (const view of this.#viewer.stage.pages.views.values()) this.mark(view);
  }

  /** Marks the hits of a page that is shown. */
  mark(view) {
    if (view.marks === this.#generation) return;
    view.marks = this.#generation;
    for (const old of view.overlay.querySelectorAll(".hit")) old.remove();
    const current = this.#hits[this.#current];
    for (const hit of this.#pages.get(view.number) ?? []) {
      for (const area of hit.areas ?? []) {
        const mark = document.createElement("div");
        mark.className = hit === current ? "hit current" : "hit";
        const box = area.quad ? quadBox(area.quad) : { left: area.x, top: area.y, ...area };
        for (const name of ["left", "top", "width", "height"]) mark.style[name] = `${box[name]}px`;
        if (box.angle) mark.style.transform = `rotate(${box.angle}deg)`;
        view.overlay.append(mark);
      }
    }
  }
}

/** A query as text: equal queries have equal texts. */
function keyOf(query) {
  return JSON.stringify(query);
}
