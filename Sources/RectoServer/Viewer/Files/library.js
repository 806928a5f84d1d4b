// The list of the documents that are served: covers on shelves, of which only those in sight exist.

import { thumbnail } from "./coarse.js";
import { isolated, visible } from "./names.js";
import { choice, lastPlace, rememberChoice } from "./memory.js";
import { reason } from "./refusal.js";
import { Rows } from "./rows.js";
import { fillStrings, language, string } from "./strings.js";

/** The height of a shelf, and the smallest width of a document on it, in CSS pixels. */
const [shelfHeight, documentWidth] = [300, 170];
/** Pixels of the longer side of a cover. */
const coverSize = 256;
/** Milliseconds that a document is in sight before it is opened. */
const describeDelay = 150;

const element = (id) => document.getElementById(id);
const collator = new Intl.Collator(language, { numeric: true, sensitivity: "base" });
const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium" });

/** The orders of the list. */
const orders = {
  name: (one, other) => collator.compare(one.name, other.name),
  folder: (one, other) => collator.compare(one.folder ?? "", other.folder ?? "") || orders.name(one, other),
  read: (one, other) => (other.place?.time ?? 0) - (one.place?.time ?? 0) || orders.name(one, other),
};

/** The documents, and those of them that are shown. */
class Library {
  #documents;
  #shown = [];
  #columns = 0;
  #rows;

  constructor(documents) {
    this.#documents = documents.map((entry) => ({ ...entry, place: lastPlace(entry.id) }));
    this.#rows = new Rows(element("documents"), element("documents-content"), {
      height: shelfHeight,
      make: (index) => this.#shelf(index),
    });
    element("filter").addEventListener("input", () => this.#choose());
    element("filter").form.addEventListener("submit", (event) => event.preventDefault());
    element("sort").value = orders[choice("sort")] ? choice("sort") : "name";
    element("sort").addEventListener("change", ({ target }) => {
      rememberChoice("sort", target.value);
      this.#choose();
    });
    new ResizeObserver(() => this.#arrange()).observe(element("documents"));
    this.#choose();
  }

  /** Shows the documents that have the words of the filter in their name, title or folder. */
  #choose() {
    const words = element("filter").value.trim().toLowerCase().split(/\s+/);
    this.#shown = this.#documents
      .filter(({ folder, name, place }) => {
        const text = `${folder ?? ""}/${name} ${place?.title ?? ""}`.toLowerCase();
        return words.every((word) => text.includes(word));
      })
      .sort(orders[element("sort").value]);
    element("status").textContent = string("documentCount", { count: this.#shown.length });
    element("documents").scrollTop = 0;
    this.#columns = 0;
    this.#arrange();
  }

  /** Puts the documents onto as many shelves as the width demands. */
  #arrange() {
    const columns = Math.max(1, Math.floor(element("documents").clientWidth / documentWidth));
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#rows.reset(Math.ceil(this.#shown.length / columns));
  }

  #shelf(index) {
    const shelf = document.createElement("div");
    shelf.className = "shelf";
    shelf.setAttribute("role", "presentation");
    for (let place = 0; place < this.#columns; place += 1) {
      const number = index * this.#columns + place;
      shelf.append(this.#place(this.#shown[number], number));
    }
    return shelf;
  }

  /** A place on a shelf, with a document or without. */
  #place(entry, number) {
    const place = document.createElement("div");
    place.className = "place";
    if (!entry) return place;
    place.setAttribute("role", "listitem");
    place.setAttribute("aria-setsize", this.#shown.length);
    place.setAttribute("aria-posinset", number + 1);
    place.append(link(entry));
    return place;
  }
}

/** A document: its cover, and what is known of it. */
function link({ id, name, folder, place }) {
  const link = document.createElement("a");
  link.className = "document";
  link.href = `/view/${id}`;
  link.title = visible(folder ? `${folder}/${name}` : name);
  const [cover, title, pages] = [document.createElement("span"), line("name", place?.title || name), line("detail", "")];
  cover.className = "cover";
  link.append(cover, title, line("detail", folder ?? ""), pages);
  if (place) {
    const date = dates.format(place.time);
    link.append(line("detail", string("lastPlace", { page: place.label, date })));
  }
  // Not for what is only passed by.
  setTimeout(() => link.isConnected && describe(id, { cover, title, pages }), describeDelay);
  return link;
}

/** Fills in what the server says of a document, or that it cannot be opened. */
async function describe(id, { cover, title, pages }) {
  try {
    const response = await fetch(`/api/documents/${id}`);
    if (!response.ok) throw new Error((await response.json()).detail);
    const found = await response.json();
    if (found.title) title.replaceChildren(isolated(found.title));
    pages.replaceChildren(string(found.pages === 1 ? "onePage" : "pagesOf", { count: found.pages }));
    const image = new Image();
    image.alt = "";
    image.decoding = "async";
    image.addEventListener("error", () => image.replaceWith(line("none", "PDF")), { once: true });
    image.src = thumbnail(found.thumbnails, coverSize, 1);
    cover.replaceChildren(image);
  } catch (error) {
    cover.replaceChildren(line("none", "PDF"));
    pages.replaceChildren(isolated(reason(error)));
  }
}

/** A line of text that others have written. */
function line(name, text) {
  const element = document.createElement("span");
  element.className = name;
  element.append(isolated(String(text)));
  return element;
}

fillStrings(document);
document.title = `${string("documents")} – Recto`;
try {
  const response = await fetch("/api/documents");
  if (!response.ok) throw new Error(response.statusText);
  const { documents } = await response.json();
  new Library(documents);
} catch (error) {
  element("status").textContent = visible(string("noList", { reason: error.message }));
}
