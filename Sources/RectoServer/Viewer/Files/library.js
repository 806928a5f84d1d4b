// The list of the documents that are served: covers on shelves, of which only those in sight exist.

import { address } from "./addresses.js";
import { thumbnail } from "./coarse.js";
import { isGone, kept } from "./kept.js";
import { isolated, visible } from "./names.js";
import { listenForSearch } from "./librarysearch.js";
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
/** Milliseconds until the files of the list are kept: covers come first. */
const keepDelay = 3000;

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
    listenForSearch(() => this.#shown);
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
function link({ id, name, folder, place, known }) {
  const link = document.createElement("a");
  link.className = "document";
  link.href = address(`view/${id}`);
  link.title = visible(folder ? `${folder}/${name}` : name);
  const [cover, title, pages] = [document.createElement("span"), line("name", place?.title || name), line("detail", "")];
  cover.className = "cover";
  link.append(cover, title, line("detail", folder ?? ""), pages);
  if (place) {
    const date = dates.format(place.time);
    link.append(line("detail", string("lastPlace", { page: place.label, date })));
  }
  // Not for what is only passed by.
  setTimeout(() => link.isConnected && describe({ id, known }, { cover, title, pages }), describeDelay);
  return link;
}

/** Fills in what the server says of a document, or that it cannot be opened. */
async function describe({ id, known }, { cover, title, pages }) {
  try {
    const found = known ?? (await description(id));
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

async function description(id) {
  const response = await fetch(address(`api/documents/${id}`));
  const description = await response.json();
  if (!response.ok) throw new Error(description.detail);
  return { ...description, thumbnails: address(description.thumbnails) };
}

/** The documents that are kept, as in the list of all. `known` is what the server said of them. */
async function keptDocuments() {
  const names = (await kept.addresses(address("kept/"))).filter((name) => name.endsWith("/document"));
  return Promise.all(
    names.map(async (name) => {
      const id = name.split("/").at(-2);
      const { info } = await kept.get(`${id}/document`);
      return { id, name: info.path, known: info };
    }),
  );
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
  const response = await fetch(address("api/documents")).catch(() => null);
  if (isGone(response)) {
    new Library(await keptDocuments());
    element("status").textContent = string("offline");
  } else {
    if (!response.ok) throw new Error(response.statusText);
    new Library((await response.json()).documents);
    setTimeout(() => kept.keepViewer(), keepDelay);
  }
} catch (error) {
  element("status").textContent = visible(string("noList", { reason: error.message }));
}
