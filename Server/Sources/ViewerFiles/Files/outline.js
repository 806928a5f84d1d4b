// The outline as a tree. Entries below an entry are made when it is opened.

/** The outline of a document. */
export class Outline {
  #viewer;
  #panel = document.getElementById("outline");

  constructor(viewer) {
    this.#viewer = viewer;
    this.#panel.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Asks for the outline and shows it. */
  async load() {
    try {
      const { items } = await this.#viewer.connection.ask("outline");
      if (items.length === 0) return this.#say("The document has no outline.");
      const tree = this.#list(items);
      tree.setAttribute("role", "tree");
      tree.setAttribute("aria-label", "Outline");
      this.#panel.replaceChildren(tree);
      tree.querySelector(".row").tabIndex = 0;
    } catch (error) {
      if (error.code !== "broken") this.#say(error.message);
    }
  }

  #say(text) {
    const message = document.createElement("p");
    message.textContent = text;
    this.#panel.replaceChildren(message);
  }

  #list(items) {
    const list = document.createElement("ul");
    list.append(...items.map((item) => this.#item(item)));
    return list;
  }

  #item(item) {
    const element = document.createElement("li");
    element.setAttribute("role", "none");
    const row = document.createElement("div");
    row.className = "row";
    row.setAttribute("role", "treeitem");
    row.tabIndex = -1;
    const twist = document.createElement("span");
    twist.className = "twist";
    twist.setAttribute("aria-hidden", "true");
    const title = document.createElement("span");
    title.textContent = item.title || "(no title)";
    row.append(twist, title);
    element.append(row);
    const children = item.children ?? [];
    const toggle = (isOpen) => {
      row.setAttribute("aria-expanded", isOpen);
      twist.textContent = isOpen ? "▾" : "▸";
      if (isOpen && !element.querySelector("ul")) {
        const list = this.#list(children);
        list.setAttribute("role", "group");
        element.append(list);
      }
      const list = element.querySelector("ul");
      if (list) list.hidden = !isOpen;
    };
    if (children.length > 0) {
      row.toggle = toggle;
      toggle(item.open === true);
      twist.addEventListener("click", (event) => {
        event.stopPropagation();
        toggle(row.getAttribute("aria-expanded") !== "true");
      });
    }
    row.addEventListener("click", () => {
      if (item.target) this.#viewer.places.follow(item.target);
    });
    return element;
  }

  #key(event) {
    const row = event.target.closest?.(".row");
    if (!row) return;
    const rows = [...this.#panel.querySelectorAll(".row")].filter((row) => row.offsetParent);
    const index = rows.indexOf(row);
    const focus = (next) => {
      if (!next) return;
      row.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    };
    const isOpen = row.getAttribute("aria-expanded") === "true";
    if (event.key === "ArrowDown") focus(rows[index + 1]);
    else if (event.key === "ArrowUp") focus(rows[index - 1]);
    else if (event.key === "ArrowRight" && row.toggle) isOpen ? focus(rows[index + 1]) : row.toggle(true);
    else if (event.key === "ArrowLeft" && isOpen) row.toggle(false);
    else if (event.key === "ArrowLeft") focus(row.parentElement.parentElement.previousElementSibling);
    else if (event.key === "Enter" || event.key === " ") row.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
