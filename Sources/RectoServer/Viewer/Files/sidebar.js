// The sidebar with its tabs.

const panels = ["pages", "outline", "notes", "search"];
const element = (id) => document.getElementById(id);

/** The sidebar; closed at first. Dispatches `shown` when it has opened, or shows another panel. */
export class Sidebar extends EventTarget {
  constructor() {
    super();
    for (const [index, name] of panels.entries()) {
      const tab = element(`tab-${name}`);
      tab.addEventListener("click", () => this.show(name));
      tab.addEventListener("keydown", ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        if (!step) return;
        const next = panels[(index + step + panels.length) % panels.length];
        this.show(next);
        element(`tab-${next}`).focus();
      });
    }
  }

  toggle() {
    this.#open(element("sidebar").hidden);
    this.#tell();
  }

  /** Opens the sidebar with one of its panels. */
  show(name) {
    this.#open(true);
    for (const other of panels) {
      const isShown = other === name;
      element(other).hidden = !isShown;
      element(`tab-${other}`).setAttribute("aria-selected", isShown);
      element(`tab-${other}`).tabIndex = isShown ? 0 : -1;
    }
    this.#tell();
  }

  #tell() {
    if (!element("sidebar").hidden) this.dispatchEvent(new Event("shown"));
  }

  #open(isOpen) {
    element("sidebar").hidden = !isOpen;
    element("toggle-sidebar").setAttribute("aria-expanded", isOpen);
  }
}
