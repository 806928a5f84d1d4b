// The viewer in a page of another site, which uses it through <recto-viewer> (recto-viewer.js). Only pages that the server
// allows can have it in a frame (`frame-ancestors`).

import { readFragment } from "./fragment.js";
import { string } from "./strings.js";
import { shownScale } from "./zooming.js";

/** Milliseconds after the last change of the selection until the page is told. */
const selectionDelay = 200;

/** Listens for the page around the viewer. */
export function listenForEmbedding(viewer) {
  if (window.parent === window) return;
  // The way to the other documents is none of the page.
  document.getElementById("home").hidden = true;
  addEventListener("message", ({ source, data, ports }) => {
    if (source === window.parent && data?.recto === "connect" && ports[0]) new Embedding(viewer, ports[0]);
  });
}

/** The page around a viewer: tells it what happens, and does what it asks. */
class Embedding {
  #viewer;
  #port;
  #settings = { hasToolbar: false, followsLinks: true };
  #isReady = false;
  #told = {};
  #timer = 0;

  constructor(viewer, port) {
    this.#viewer = viewer;
    this.#port = port;
    port.onmessage = ({ data }) => this.#answer(data);
    viewer.stage.addEventListener("scene", ({ detail }) => this.#showScene(detail));
    viewer.search.addEventListener("hit", ({ detail }) => this.#tell("hit", detail));
    viewer.addEventListener("refused", ({ detail }) => this.#tell("error", detail));
    document.addEventListener("selectionchange", () => this.#selectLater());
    // Before the viewer follows it.
    document.getElementById("stage").addEventListener("click", (event) => this.#click(event), true);
    viewer.addEventListener("opened", () => this.#showScene(viewer.stage.scene));
    if (viewer.stage.scene) this.#showScene(viewer.stage.scene);
    if (viewer.refusal) this.#tell("error", viewer.refusal);
  }

  #tell(event, detail) {
    this.#port.postMessage({ event, detail });
  }

  /** Tells what has changed; nothing until the page that was asked for is there. */
  #showScene(scene) {
    const { info, places } = this.#viewer;
    // The label of an expected page may not be known yet.
    if (places.isGoing || !info || scene.isExpected) return;
    const page = scene.spreads.flatMap((spread) => spread.pages).find(({ number }) => number === scene.current);
    const current = { number: scene.current, label: page?.label ?? String(scene.current) };
    const zoom = { zoom: scene.zoom, scale: shownScale(scene) };
    if (!this.#isReady) this.#tell("ready", { title: info.title, pages: info.pages });
    this.#isReady = true;
    this.#tellChange("pagechange", current);
    this.#tellChange("zoomchange", zoom);
  }

  #tellChange(event, detail) {
    const text = JSON.stringify(detail);
    if (this.#told[event] === text) return;
    this.#told[event] = text;
    this.#tell(event, detail);
  }

  #selectLater() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const selection = getSelection();
      const isText = selection.anchorNode?.parentElement?.closest(".text");
      this.#tellChange("select", { text: isText ? selection.toString() : "" });
    }, selectionDelay);
  }

  #click(event) {
    const link = event.target.closest?.(".page a[href]");
    if (!link) return;
    const isPage = link.getAttribute("href").startsWith("#");
    const target = isPage ? { page: readFragment(link.hash.slice(1)).place.page } : { uri: link.href };
    this.#tell("link", target);
    if (this.#settings.followsLinks) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  async #answer({ id, call, value }) {
    try {
      const result = await this.#perform(call, value);
      if (id !== undefined) this.#port.postMessage({ id, value: result });
    } catch (error) {
      if (id !== undefined) this.#port.postMessage({ id, error: error.message });
    }
  }

  async #goTo(page) {
    if (!(await this.#viewer.goToPage(page))) throw new Error(string("noPage", { page }));
  }

  #perform(call, value) {
    const viewer = this.#viewer;
    switch (call) {
      case "configure":
        this.#settings = value;
        return void document.body.classList.toggle("bare", value.hasToolbar);
      case "goTo": return this.#goTo(value);
      case "turn": return viewer.turn(value);
      case "zoomBy": return viewer.stage.zoomBy(value);
      case "arrange": return viewer.arrange(value);
      case "search": return viewer.search.find(value);
      case "step": return viewer.search.step(value);
      default: throw new Error(`there is no command ${call}`);
    }
  }
}
