// The outline as a tree, of which only the rows in sight exist.

import { isolated, visible } from "./names.js";
import { OutlineTree } from "./outlinetree.js";
import { Rows } from "./rows.js";
import { string } from "./strings.js";

const rowHeight = 24;
/** Levels that are moved to the right of the one above. */
const deepest = 12;

/** The outline of a document. */
export class Outline {
  #viewer;
  #message = document.getElementById("outline-message");
  #list = document.getElementById("outline-tree");
  #rows;
  #tree = new OutlineTree([]);
  #current = 0;

  constructor(viewer) {
    this.#viewer = viewer;
    this.#rows = new Rows(this.#list, document.getElementById("outline-content"), {
      height: rowHeight,
      make: (index) => this.#make(index),
    });
    this.#list.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Asks for the outline and shows it. */
  async load() {
    try {
      const { items } = await this.#viewer.connection.ask("outline");
      this.#tree = new OutlineTree(items);
      this.#say(items.length === 0 ? string("noOutline") : "");
      this.#rows.reset(this.#tree.rows.length);
      this.#select(0);
    } catch (error) {
      if (error.code !== "broken") this.#say(error.message);
    }
  }

  /** Shows a message in place of the tree, or the tree. */
  #say(text) {
    this.#message.textContent = visible(text);
    this.#message.hidden = text === "";
    this.#list.hidden = text !== "";
  }

  #make(index) {
    const { item, level, place, count } = this.#tree.rows[index];
    const row = document.createElement("div");
    row.className = "row";
    row.id = `outline-${index}`;
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", level);
    row.setAttribute("aria-posinset", place);
    row.setAttribute("aria-setsize", count);
    row.setAttribute("aria-selected", index === this.#current);
    row.style.paddingLeft = `${Math.min(level - 1, deepest)}em`;
    const twist = document.createElement("span");
    twist.className = "twist";
    twist.setAttribute("aria-hidden", "true");
    if (item.children?.length > 0) {
      const isOpen = this.#tree.isOpen(this.#tree.rows[index]);
      row.setAttribute("aria-expanded", isOpen);
      twist.textContent = isOpen ? "▾" : "▸";
      twist.addEventListener("click", (event) => {
        event.stopPropagation();
        this.#toggle(index);
      });
    }
    const title = item.title || string("noTitle");
    row.title = visible(title);
    row.append(twist, isolated(title));
    row.addEventListener("click", () => {
      this.#select(index);
      this.#follow(index);
    });
    return row;
  }

  #follow(index) {
    const { target } = this.#tree.rows[index].item;
    if (target) this.#viewer.places.follow(target);
  }

  #toggle(index, isOpen) {
    if (!this.#tree.toggle(index, isOpen)) return;
    this.#rows.reset(this.#tree.rows.length);
    this.#select(index);
  }

  /** Makes a row the one that keys are for. */
  #select(index) {
    if (index < 0 || index >= this.#tree.rows.length) return;
    this.#rows.get(this.#current)?.setAttribute("aria-selected", "false");
    this.#current = index;
    this.#rows.reveal(index);
    this.#rows.get(index)?.setAttribute("aria-selected", "true");
    this.#list.setAttribute("aria-activedescendant", `outline-${index}`);
  }

  #key(event) {
    const row = this.#tree.rows[this.#current];
    if (!row) return;
    const isOpen = this.#tree.isOpen(row);
    const { key } = event;
    if (key === "ArrowDown") this.#select(this.#current + 1);
    else if (key === "ArrowUp") this.#select(this.#current - 1);
    else if (key === "Home") this.#select(0);
    else if (key === "End") this.#select(this.#tree.rows.length - 1);
    else if (key === "ArrowRight" && isOpen) this.#select(this.#current + 1);
    else if (key === "ArrowRight") this.#toggle(this.#current, true);
    else if (key === "ArrowLeft" && isOpen) this.#toggle(this.#current, false);
    else if (key === "ArrowLeft") this.#select(this.#tree.parent(this.#current));
    else if (key === "Enter" || key === " ") this.#follow(this.#current);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
