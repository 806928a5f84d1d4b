// The toolbar: one row, of which a narrow window has a part in the menu.

import { string } from "./strings.js";
import { toggleFullScreen } from "./presentation.js";
import { isNarrow, listenForReading } from "./reading.js";
import { largestStep, shownScale } from "./zooming.js";

const element = (id) => document.getElementById(id);

/** The controls of a viewer. */
export class Toolbar {
  #viewer;

  constructor(viewer) {
    this.#viewer = viewer;
    this.#fold();
    this.#listen();
    listenForReading(viewer.stage, element("stage"));
    viewer.stage.addEventListener("scene", ({ detail }) => this.#show(detail));
  }

  /** Moves controls into the menu where the window is narrower than they say, and back to their places. */
  #fold() {
    const places = [...document.querySelectorAll("[data-fold]")].map((control) => {
      const place = document.createComment("");
      control.before(place);
      const query = matchMedia(`(max-width: ${control.dataset.fold}px)`);
      return { control, place, query };
    });
    const arrange = () => {
      const folded = places.filter(({ query }) => query.matches);
      element("menu").prepend(...folded.map(({ control }) => control));
      for (const { control, place, query } of places) if (!query.matches) place.after(control);
    };
    for (const { query } of places) query.addEventListener("change", arrange);
    arrange();
  }

  #listen() {
    const viewer = this.#viewer;
    const { stage } = viewer;
    const click = (id, action) => element(id).addEventListener("click", action);
    const change = (id, action) => {
      element(id).addEventListener("change", ({ target }) => action(target.value));
    };
    click("toggle-sidebar", () => viewer.sidebar.toggle());
    click("back", () => history.back());
    click("previous", () => viewer.turn(-1));
    click("next", () => viewer.turn(1));
    click("zoom-in", () => stage.zoomBy(largestStep));
    click("zoom-out", () => stage.zoomBy(1 / largestStep));
    click("find", () => viewer.search.focus());
    click("rotate", () => viewer.rotate());
    click("rtl", () => viewer.arrange({ rtl: !viewer.isRightToLeft }));
    click("dark-paper", () => viewer.toggleDarkPaper());
    click("full-screen", toggleFullScreen);
    click("present", () => viewer.presentation.start());
    click("help", () => element("help-dialog").showModal());
    click("one-scale", () => viewer.arrange({ fitScope: stage.layout?.fitScope ? "spread" : "document" }));
    click("match", () => viewer.arrange({ match: stage.layout?.match ? "none" : "height" }));
    change("fit", (fit) => viewer.arrange({ fit, zoom: 1 }));
    change("spread", (spread) => viewer.arrange({ spread }));
    change("mode", (name) => viewer.arrange(layoutOf(name)));
    element("go-to").addEventListener("submit", (event) => {
      event.preventDefault();
      viewer.goToPage(element("page").value.trim());
      element("stage").focus();
    });
  }

  /** Shows what a scene says. */
  #show(scene) {
    const viewer = this.#viewer;
    const pages = scene.spreads.flatMap((spread) => spread.pages);
    const page = pages.find((page) => page.number === scene.current);
    viewer.current = page;
    const input = element("page");
    if (page?.label !== undefined && document.activeElement !== input && input.value !== page.label) {
      input.value = page.label;
      element("announcement").textContent = string("page", { page: page.label });
    }
    element("zoom").textContent = `${Math.round(shownScale(scene) * 100)} %`;
    const { layout } = viewer.stage;
    if (!layout) return;
    element("mode").value = nameOf(layout);
    if (layout.spread) element("spread").value = layout.spread;
    element("fit").value = viewer.layout.fit === "auto" ? "auto" : layout.fit;
    element("rtl").setAttribute("aria-pressed", viewer.isRightToLeft);
    element("one-scale").setAttribute("aria-pressed", layout.fitScope === "document");
    element("match").setAttribute("aria-pressed", layout.match !== undefined);
  }

  /** The part of the window that it covers: on a narrow one it lies on the document, which then keeps its size. */
  get insets() {
    return isNarrow.matches ? [element("toolbar").offsetHeight, 0, 0, 0] : null;
  }
}

/** The layout options of a name in the menu. */
function layoutOf(name) {
  const isHorizontal = name === "horizontal" || name === "paged" || name === "carousel";
  const mode = name === "horizontal" ? "continuous" : name;
  const fit = { grid: "none", continuous: "auto", horizontal: "height" }[name] ?? "page";
  return { mode, axis: isHorizontal ? "horizontal" : "vertical", fit, zoom: name === "grid" ? 0.3 : 1 };
}

function nameOf({ mode, axis }) {
  return mode === "continuous" && axis === "horizontal" ? "horizontal" : mode;
}
