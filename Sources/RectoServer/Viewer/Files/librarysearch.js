// Search in the texts of all documents of the list, in their order. Each document with hits is shown as soon as it was
// searched, with pictures of the first lines.

import { address } from "./addresses.js";
import { hitsOf } from "./foundtext.js";
import { isolated } from "./names.js";
import { string } from "./strings.js";

/** Documents that are searched at the same time. */
const atOnce = 2;
/** Hits of a document that are shown, and documents with hits until the search ends. */
const [shownHits, most] = [3, 200];
/** The height of the picture of a line in pixels, and the part of a page around a hit that it shows, in heights of it. */
const [lineHeight, around] = [48, { before: 12, after: 24 }];

const element = (id) => document.getElementById(id);

/** The search of a list; `documents` returns the documents to search. */
export function listenForSearch(documents) {
  let abort = new AbortController();
  const end = () => {
    abort.abort();
    element("found").hidden = true;
    element("documents").hidden = false;
  };
  element("words").addEventListener("input", ({ target }) => target.value === "" && end());
  element("words").form.addEventListener("submit", (event) => {
    event.preventDefault();
    end();
    const words = element("words").value.trim();
    if (words === "") return;
    abort = new AbortController();
    element("found").hidden = false;
    element("documents").hidden = true;
    search(words, documents(), abort.signal);
  });
}

async function search(words, documents, signal) {
  const list = element("found-list");
  list.replaceChildren();
  let [next, searched] = [0, 0];
  const say = (name) => {
    const counts = { count: searched, all: documents.length, found: list.childElementCount };
    if (!signal.aborted) element("found-status").textContent = string(name, counts);
  };
  const run = async () => {
    while (next < documents.length && list.childElementCount < most && !signal.aborted) {
      const entry = documents[next];
      next += 1;
      const hits = await hitsIn(entry, words, signal);
      if (signal.aborted) return;
      searched += 1;
      if (hits.length > 0) list.append(found(entry, hits));
      say("searchingAll");
    }
  };
  say("searchingAll");
  await Promise.all(Array.from({ length: atOnce }, run));
  say("searchedAll");
}

/** The hits in a document; none if it cannot be searched. */
async function hitsIn({ id }, words, signal) {
  try {
    const response = await fetch(address(`iiif/search/2/${id}?q=${encodeURIComponent(words)}`), { signal });
    return response.ok ? hitsOf(await response.json()) : [];
  } catch {
    return [];
  }
}

/** A document with its first hits. */
function found({ id, name, folder, place }, hits) {
  const item = document.createElement("li");
  const title = document.createElement("h2");
  title.append(isolated(place?.title || name), " ", detail(folder ?? ""));
  const count = detail(string("hitCount", { count: hits.length }));
  item.append(title, count, ...hits.slice(0, shownHits).map((hit) => line(id, hit)));
  return item;
}

/** A link to a hit, with the picture of its line. */
function line(id, { page, box, before, match, after }) {
  const link = document.createElement("a");
  link.href = address(`view/${id}#number=${page}`);
  const [image, text, mark] = [new Image(), document.createElement("span"), document.createElement("mark")];
  mark.append(match);
  text.append(before, mark, after);
  image.alt = "";
  image.loading = "lazy";
  if (box) {
    const left = Math.max(0, box.x - around.before * box.height);
    const width = box.x - left + box.width + around.after * box.height;
    const region = [left, Math.max(0, box.y - 0.25 * box.height), width, 1.5 * box.height].map(Math.round);
    image.src = address(`iiif/3/${id};${page}/${region}/^,${lineHeight}/0/default.webp`);
    link.append(image);
  }
  link.append(detail(string("page", { page })), text);
  return link;
}

function detail(text) {
  const element = document.createElement("span");
  element.className = "detail";
  element.append(isolated(text));
  return element;
}
