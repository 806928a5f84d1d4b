// The files and annotations of a document, listed with their text.

import { isolated, visible } from "./names.js";
import { string } from "./strings.js";

/** Pages whose annotations are asked for at a time. */
const pagesAtOnce = 200;
/** Entries that are listed, and characters of each. */
const [most, longest] = [2000, 4000];

/** The panel with the notes of a document, which are read when it is shown. */
export class Notes {
  #viewer;
  #message = document.getElementById("notes-message");
  #list = document.getElementById("notes-list");
  /** The reading under way or done; null if there is none. */
  #reading = null;

  constructor(viewer) {
    this.#viewer = viewer;
    viewer.sidebar.addEventListener("shown", () => this.#show());
  }

  /** Forgets what was read: the document is another one. */
  reset() {
    this.#reading = null;
    this.#list.replaceChildren();
    this.#show();
  }

  #show() {
    if (this.#list.closest("section").hidden || this.#list.closest("nav").hidden || this.#reading) return;
    const reading = {};
    this.#reading = reading;
    this.#read(() => this.#reading === reading);
  }

  async #read(isCurrent) {
    const { connection, info } = this.#viewer;
    const say = (name, values) => (this.#message.textContent = name ? string(name, values) : "");
    const problems = [];
    try {
      const { attachments } = await connection.ask("attachments").catch((error) => {
        // Annotations may be readable.
        if (error.code !== "damaged") throw error;
        problems.push(visible(error.message));
        return { attachments: [] };
      });
      if (!isCurrent()) return;
      this.#list.append(...attachments.slice(0, most).map((file) => entry(null, fileWords(file))));
      let first = 1;
      while (first <= info.pages && this.#list.childElementCount < most) {
        say("readingNotes", { page: first, pages: info.pages });
        const reply = await connection.ask("annotations", { first, count: pagesAtOnce });
        if (!isCurrent()) return;
        if (reply.unreadable) problems.push(string("unreadableNotes", { pages: reply.unreadable.slice(0, 20).join(", ") }));
        const room = most - this.#list.childElementCount;
        this.#list.append(...reply.annotations.slice(0, room).map((annotation) => this.#entry(annotation)));
        first = reply.next ?? first + pagesAtOnce;
      }
      if (this.#list.childElementCount === most) say("moreNotes", { count: most });
      else say(this.#list.childElementCount === 0 && problems.length === 0 ? "noNotes" : null);
      if (problems.length > 0) this.#message.textContent += ` ${problems.slice(0, 5).join(" ")}`;
    } catch (error) {
      if (!isCurrent()) return;
      this.#message.textContent = error.message;
      if (error.code === "broken") this.#reading = null;
    }
  }

  #entry({ page, author, modified, area, text, file }) {
    const heading = [string("page", { page }), author, modified?.slice(0, 10)];
    const words = [file && fileWords(file), text].filter(Boolean).join("\n");
    return entry(heading, words, () => this.#viewer.places.follow({ kind: "page", page, y: area?.y }));
  }
}

/** An element of the list: a heading above a text, which leads somewhere. */
function entry(heading, words, go) {
  const item = document.createElement("li");
  const content = document.createElement(go ? "button" : "div");
  if (heading) {
    const line = document.createElement("span");
    line.className = "note-place";
    line.append(isolated(heading.filter(Boolean).join(" · ")));
    content.append(line);
  }
  const text = document.createElement("span");
  const lines = words.slice(0, longest).split(/\r\n|\r|\n/).map(visible).join("\n");
  text.append(document.createElement("bdi"));
  text.firstChild.textContent = words.length > longest ? `${lines}…` : lines;
  content.append(text);
  if (go) {
    content.type = "button";
    content.addEventListener("click", go);
  }
  item.append(content);
  return item;
}

function fileWords({ name, description, bytes }) {
  const size = bytes === undefined ? null : string("bytes", { bytes: bytes.toLocaleString() });
  return [name || string("noTitle"), size, description].filter(Boolean).join(" · ");
}
