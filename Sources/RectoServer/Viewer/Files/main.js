// Puts the viewer together.

import { Connection } from "./connection.js";
import { listenForKeys } from "./keys.js";
import { isolated, isolatedText, visible } from "./names.js";
import { Overlays } from "./overlays.js";
import { Outline } from "./outline.js";
import { Places } from "./places.js";
import { listenForDoubleTaps, listenForPinches, listenForSwipes } from "./gestures.js";
import { preparePrinting } from "./printing.js";
import { Scrollbar } from "./scrollbar.js";
import { Search } from "./search.js";
import { Sidebar } from "./sidebar.js";
import { Stage } from "./stage.js";
import { Strip } from "./strip.js";
import { automaticZoom, largestStep, shownScale } from "./zooming.js";

const element = (id) => document.getElementById(id);

/** The viewer of one document. */
class Viewer {
  constructor(id) {
    this.id = id;
    this.password = undefined;
    this.info = null;
    this.connection = new Connection();
    this.stage = new Stage(this.connection, {
      element: element("stage"),
      spacer: element("spacer"),
      content: element("content"),
    });
    this.places = new Places(this);
    this.sidebar = new Sidebar();
    this.strip = new Strip(this);
    this.outline = new Outline(this);
    this.search = new Search(this);
    this.overlays = new Overlays(this);
    this.scrollbar = new Scrollbar(this);
    this.layout = { ...this.places.layout };
    this.#connect();
    this.#listen();
  }

  // Opening

  #connect() {
    this.connection.addEventListener("connected", () => this.#open());
    this.connection.addEventListener("broken", ({ detail }) => {
      this.report(`The connection has broken; next try in ${detail / 1000} s`);
    });
    this.connection.addEventListener("reloaded", ({ detail }) => this.#takeInfo(detail));
    this.connection.addEventListener("reopened", ({ detail }) => this.#takeInfo(detail));
    this.connection.addEventListener("changed", () => this.#reload());
    this.connection.addEventListener("error", ({ detail }) => {
      const page = detail.page ? `Page ${detail.page}: ` : "";
      this.report(page + detail.error.message);
      for (const view of this.stage.pages.of(detail.page)) view.showError(detail.error);
    });
    this.stage.addEventListener("problem", ({ detail }) => this.report(detail.message));
    this.connection.connect();
  }

  async #open() {
    const place = this.info ? this.places.present : this.places.wanted;
    try {
      const reply = await this.connection.ask("open", {
        path: this.id,
        password: this.password,
        layout: sent(this.layout),
        viewport: this.stage.viewport,
        scale: this.stage.scale,
        // With four times the pixels, fewer and larger tiles are sooner there.
        tile: this.stage.scale < 1.5 ? undefined : 1024,
      });
      this.report("");
      this.#takeInfo(reply);
      // At once: tiles follow the reply.
      this.stage.open(reply, this.layout);
      const isAutomatic = this.layout.fit === "auto";
      await this.stage.go("layout", { layout: isAutomatic ? automaticZoom(reply) : {} });
      await this.#goToFirst(place);
      this.stage.boundZoom();
      this.outline.load();
    } catch (error) {
      if (error.code === "password-needed" || error.code === "password-wrong") {
        await this.#askPassword(error);
      } else if (error.code !== "broken") {
        this.#refuse(error);
        this.connection.close();
      }
    }
  }

  /** Tells why the document cannot be opened, and what can be done. */
  #refuse(error) {
    element("refusal-reason").textContent = visible(error.message);
    element("refusal-advice").textContent = adviceFor(error.code);
    element("refusal").hidden = false;
    element("retry").addEventListener("click", () => location.reload(), { once: true });
    element("retry").focus();
  }

  /** Goes to the place in the address. A document that is open stays so if there is no such place. */
  async #goToFirst(place) {
    try {
      await this.places.go(place, { isFirst: true });
    } catch (error) {
      if (error.code === "broken") throw error;
      this.report(error.message);
    }
  }

  #takeInfo(reply) {
    this.info = { ...this.info, ...reply, spreads: undefined };
    this.stage.pages.coarse.open(this.info);
    const name = this.info.title || this.info.path;
    document.title = `${isolatedText(name)} – Recto`;
    element("title").replaceChildren(isolated(name));
    element("title").title = visible(name);
    element("page-count").textContent = `of ${this.info.pages}`;
    this.strip.reset();
  }

  async #reload() {
    try {
      const reply = await this.connection.ask("reload");
      this.#takeInfo(reply);
      this.stage.show(reply);
      this.outline.load();
      this.report("The document has changed and was opened again");
    } catch (error) {
      this.report(`The document has changed and cannot be opened: ${error.message}`);
    }
  }

  async #askPassword(error) {
    const dialog = element("password-dialog");
    element("password-message").textContent =
      error.code === "password-wrong" ? "The password is wrong." : "The document is encrypted.";
    dialog.showModal();
    await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
    this.password = element("password").value;
    element("password").value = "";
    this.#open();
  }

  // Commands

  /** Changes layout options. */
  async arrange(changes) {
    Object.assign(this.layout, changes);
    try {
      await this.stage.go("layout", { layout: sent(changes) });
      if (changes.fit === "auto") await this.#zoomAutomatically();
    } catch (error) {
      this.report(error.message);
    }
  }

  /** Zooms a layout that is fitted to the width as the automatic zoom demands. */
  async #zoomAutomatically() {
    const wanted = automaticZoom(this.stage.scene);
    if (wanted.fit !== "width" || wanted.zoom !== 1) await this.stage.go("layout", { layout: wanted });
  }

  async goToPage(text) {
    const place = await this.places.find(text);
    if (!place) return this.report(`There is no page "${text}"`);
    this.report("");
    await this.places.jump(place);
  }

  /** Goes to the next or the previous page or spread. */
  turn(distance) {
    this.stage.step(distance);
  }

  report(message) {
    element("status").textContent = visible(message);
  }

  // Controls

  #listen() {
    const click = (id, action) => element(id).addEventListener("click", action);
    const change = (id, action) => {
      element(id).addEventListener("change", ({ target }) => action(target.value));
    };
    click("toggle-sidebar", () => this.sidebar.toggle());
    click("back", () => history.back());
    click("previous", () => this.turn(-1));
    click("next", () => this.turn(1));
    click("zoom-in", () => this.stage.zoomBy(largestStep));
    click("zoom-out", () => this.stage.zoomBy(1 / largestStep));
    click("rotate", () => this.rotate());
    click("rtl", () => this.arrange({ rtl: !this.isRightToLeft }));
    click("dark-paper", () => this.toggleDarkPaper());
    click("help", () => element("help-dialog").showModal());
    click("one-scale", () => this.arrange({ fitScope: this.stage.layout?.fitScope ? "spread" : "document" }));
    click("match", () => this.arrange({ match: this.stage.layout?.match ? "none" : "height" }));
    change("fit", (fit) => this.arrange({ fit, zoom: 1 }));
    // A zoom of the reader's is kept.
    this.stage.addEventListener("zoomed", () => {
      if (this.layout.fit === "auto") this.layout.fit = this.stage.layout.fit;
    });
    this.stage.addEventListener("resized", () => {
      if (this.layout.fit === "auto") this.arrange({ fit: "auto", zoom: 1 });
    });
    change("spread", (spread) => this.arrange({ spread }));
    change("mode", (name) => this.arrange(layoutOf(name)));
    element("go-to").addEventListener("submit", (event) => {
      event.preventDefault();
      this.goToPage(element("page").value.trim());
      element("stage").focus();
    });
    this.stage.addEventListener("scene", ({ detail }) => this.#show(detail));
    preparePrinting(this);
    listenForKeys(this);
    listenForPinches(element("stage"), this.stage);
    listenForSwipes(element("stage"), this.stage);
    listenForDoubleTaps(element("stage"), this.stage);
    if (history.length > 1 || document.referrer) element("home").hidden = false;
  }

  get isRightToLeft() {
    return this.layout.rtl ?? this.info?.rtl ?? false;
  }

  rotate() {
    this.arrange({ rotate: ((this.layout.rotate ?? 0) + 90) % 360 });
  }

  toggleDarkPaper() {
    const isDark = document.body.classList.toggle("dark-paper");
    element("dark-paper").setAttribute("aria-pressed", isDark);
  }

  /** Shows in the toolbar what a scene says. */
  #show(scene) {
    const pages = scene.spreads.flatMap((spread) => spread.pages);
    const page = pages.find((page) => page.number === scene.current);
    this.current = page;
    const input = element("page");
    if (page && document.activeElement !== input && input.value !== page.label) {
      input.value = page.label;
      element("announcement").textContent = `Page ${page.label}`;
    }
    element("zoom").textContent = `${Math.round(shownScale(scene) * 100)} %`;
    const { layout } = this.stage;
    if (!layout) return;
    element("mode").value = nameOf(layout);
    if (layout.spread) element("spread").value = layout.spread;
    element("fit").value = this.layout.fit === "auto" ? "auto" : layout.fit;
    element("rtl").setAttribute("aria-pressed", this.isRightToLeft);
    element("one-scale").setAttribute("aria-pressed", layout.fitScope === "document");
    element("match").setAttribute("aria-pressed", layout.match !== undefined);
  }
}

/** Layout options as the server takes them: the automatic zoom begins with a fit to the width. */
function sent(layout) {
  return layout.fit === "auto" ? { ...layout, fit: "width", zoom: 1 } : layout;
}

/** What can be done if a document cannot be opened. */
function adviceFor(code) {
  switch (code) {
    case "not-pdf": return "The file is not a PDF. Another program may open it.";
    case "damaged": return "The file may be incomplete: a new copy of it may help.";
    case "unreadable": return "The file may have been moved or removed since the list was made.";
    case "changed": return "The file is being written. It can be opened when that is done.";
    case "time-limit": case "memory-limit": return "The document needs more time or memory than the server allows.";
    default: return "The server may be able to open it later.";
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

window.recto = new Viewer(decodeURIComponent(location.pathname.split("/").pop()));
