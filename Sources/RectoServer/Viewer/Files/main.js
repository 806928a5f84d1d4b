// Puts the viewer together.

import { Connection } from "./connection.js";
import { listenForEmbedding } from "./embedding.js";
import { fillIcons } from "./icons.js";
import { kept } from "./kept.js";
import { listenForKeys } from "./keys.js";
import { choice, rememberChoice } from "./memory.js";
import { isolated, isolatedText, visible } from "./names.js";
import { Notes } from "./notes.js";
import { Overlays } from "./overlays.js";
import { Outline } from "./outline.js";
import { Places } from "./places.js";
import { listenForDoubleTaps, listenForPinches, listenForSwipes } from "./gestures.js";
import { Presentation } from "./presentation.js";
import { preparePrinting } from "./printing.js";
import { showRefusal } from "./refusal.js";
import { Scrollbar } from "./scrollbar.js";
import { Search } from "./search.js";
import { Sidebar } from "./sidebar.js";
import { Stage } from "./stage.js";
import { fillStrings, string } from "./strings.js";
import { Strip } from "./strip.js";
import { Toolbar } from "./toolbar.js";
import { automaticZoom } from "./zooming.js";

/** Milliseconds until the viewer's own files are kept: pages come first. */
const keepDelay = 3000;

const element = (id) => document.getElementById(id);

/** The viewer of one document. Dispatches `opened`, or `refused` with the error of one that cannot be opened. */
class Viewer extends EventTarget {
  /** The error of a document that cannot be opened: `code` and `message`. */
  refusal = null;

  constructor(id) {
    super();
    this.id = id;
    this.password = undefined;
    this.info = null;
    this.connection = new Connection(id);
    this.stage = new Stage(this.connection, {
      element: element("stage"),
      spacer: element("spacer"),
      content: element("content"),
    });
    this.places = new Places(this);
    this.sidebar = new Sidebar();
    this.strip = new Strip(this);
    this.outline = new Outline(this);
    this.notes = new Notes(this);
    this.search = new Search(this);
    this.overlays = new Overlays(this);
    this.scrollbar = new Scrollbar(this);
    this.presentation = new Presentation(this);
    this.toolbar = new Toolbar(this);
    this.layout = { ...this.places.layout };
    this.#connect();
    this.#listen();
  }

  // Opening

  #connect() {
    this.connection.addEventListener("connected", () => this.#open());
    this.connection.addEventListener("broken", ({ detail }) => {
      this.report(string("broken", { seconds: detail / 1000 }));
    });
    this.connection.addEventListener("reloaded", ({ detail }) => this.#takeInfo(detail));
    this.connection.addEventListener("reopened", ({ detail }) => this.#takeInfo(detail));
    this.connection.addEventListener("changed", () => this.#reload());
    this.connection.addEventListener("error", ({ detail }) => {
      const views = this.stage.pages.of(detail.page);
      // A page says itself what is wrong with it.
      if (views.length === 0) this.report(detail.error.message);
      for (const view of views) view.fail(detail.error);
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
        layout: { ...sent(this.layout), insets: this.toolbar.insets },
        viewport: this.stage.viewport,
        scale: this.stage.scale,
        // With four times the pixels, fewer and larger tiles are sooner there.
        tile: this.stage.scale < 1.5 ? undefined : 1024,
      });
      this.report(this.connection.isLocal ? string("offline") : "");
      this.#takeInfo(reply);
      // At once: tiles follow the reply.
      this.stage.open(reply, this.layout);
      const isAutomatic = this.layout.fit === "auto";
      await this.stage.go("layout", { layout: isAutomatic ? automaticZoom(reply) : {} });
      await this.#goToFirst(place);
      this.dispatchEvent(new Event("opened"));
      setTimeout(() => kept.keepViewer(), keepDelay);
      this.stage.boundZoom();
      this.outline.load();
      this.notes.reset();
      this.stage.layOutLocally();
    } catch (error) {
      if (error.code === "password-needed" || error.code === "password-wrong") {
        await this.#askPassword(error);
      } else if (error.code !== "broken") {
        this.refusal = { code: error.code, message: error.message };
        this.dispatchEvent(new CustomEvent("refused", { detail: this.refusal }));
        showRefusal(this.id, error);
        this.connection.close();
      }
    }
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
    element("page-count").textContent = string("pageCount", { pages: this.info.pages });
    this.strip.reset();
  }

  async #reload() {
    try {
      const reply = await this.connection.ask("reload");
      this.#takeInfo(reply);
      this.stage.show(reply);
      this.outline.load();
      this.notes.reset();
      this.report(string("changed"));
    } catch (error) {
      this.report(string("changedUnreadable", { reason: error.message }));
    }
  }

  async #askPassword(error) {
    const dialog = element("password-dialog");
    const isWrong = error.code === "password-wrong";
    element("password-message").textContent = string(isWrong ? "passwordWrong" : "encrypted");
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
      const reply = this.stage.go("layout", { layout: { ...sent(changes), insets: this.toolbar.insets } });
      if (changes.fit !== "auto") return await reply;
      // The zoom follows at once if the layout is known here.
      if (!this.stage.scene?.isExpected) await reply;
      await Promise.all([reply, this.#zoomAutomatically()]);
    } catch (error) {
      this.report(error.message);
    }
  }

  /** Zooms a layout that is fitted to the width as the automatic zoom demands. */
  async #zoomAutomatically() {
    const wanted = automaticZoom(this.stage.scene);
    if (wanted.fit !== "width" || wanted.zoom !== 1) await this.stage.go("layout", { layout: wanted });
  }

  /** Goes to the page that a label or a number names. Returns a promise that is false if there is none. */
  async goToPage(text) {
    const place = await this.places.find(text);
    this.report(place ? "" : string("noPage", { page: text }));
    if (place) await this.places.jump(place);
    return place !== null;
  }

  /** Goes to the next or the previous page or spread. */
  turn(distance) {
    this.stage.step(distance);
  }

  report(message) {
    element("status").textContent = visible(message);
  }

  #listen() {
    // A zoom of the reader's is kept.
    this.stage.addEventListener("zoomed", () => {
      if (this.layout.fit === "auto") this.layout.fit = this.stage.layout.fit;
    });
    this.stage.addEventListener("resized", () => {
      if (this.layout.fit === "auto") this.arrange({ fit: "auto", zoom: 1 });
    });
    listenForEmbedding(this);
    preparePrinting(this);
    listenForKeys(this);
    listenForPinches(element("stage"), this.stage);
    listenForSwipes(element("stage"), this.stage);
    listenForDoubleTaps(element("stage"), this.stage);
    if (choice("dark-paper")) this.toggleDarkPaper();
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
    rememberChoice("dark-paper", isDark);
  }
}

/** Layout options as the server takes them: the automatic zoom begins with a fit to the width. */
function sent(layout) {
  return layout.fit === "auto" ? { ...layout, fit: "width", zoom: 1 } : layout;
}

fillStrings(document);
fillIcons(document);
window.recto = new Viewer(decodeURIComponent(location.pathname.split("/").pop()));
