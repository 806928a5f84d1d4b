// <recto-viewer src="https://reading-room.example/view/ID" page="12" mode="paged">: the viewer of a document as an element
// of another page, also of another origin that the server allows. docs/EMBED.md describes it. This module needs no other.

/** Attributes that are layout options, and those of them that are a number or a truth value. */
const options = ["mode", "spread", "axis", "fit", "zoom", "rotate", "rtl"];
const numbers = ["zoom", "rotate"];

const style = new CSSStyleSheet();
style.replaceSync(`
  :host { display: flex; flex-direction: column; height: 40rem; }
  :host([hidden]) { display: none; }
  iframe { flex: 1; min-height: 0; width: 100%; border: 0; }
`);

/**
 * A viewer. Dispatches `ready`, `pagechange`, `zoomchange`, `hit`, `link`, `select` and `error`; `detail` of each is in
 * docs/EMBED.md.
 */
export class RectoViewer extends HTMLElement {
  static observedAttributes = ["src", "page", "links", ...options];

  /** The document, once it is open: `title` and `pages`; null before. */
  info = null;
  /** The page that is read: `number` and `label`; null before the document is open. */
  current = null;
  #frame = document.createElement("iframe");
  #toolbar = document.createElement("slot");
  #port = null;
  /** Calls that have no answer yet, and those that wait for the viewer. */
  #calls = new Map();
  #waiting = [];
  #last = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    this.#toolbar.name = "toolbar";
    this.#toolbar.addEventListener("slotchange", () => this.#configure());
    this.#frame.allow = "fullscreen; clipboard-write";
    this.#frame.part = "frame";
    this.#frame.addEventListener("load", () => this.#connect());
    root.append(this.#toolbar, this.#frame);
  }

  connectedCallback() {
    this.#open();
  }

  disconnectedCallback() {
    this.#close();
  }

  attributeChangedCallback(name, before, value) {
    if (!this.isConnected) return;
    if (name === "src") this.#open();
    else if (name === "links") this.#configure();
    else if (name === "page" && value !== null) this.goTo(value).catch(() => {});
    else if (name !== "page") this.arrange({ [name]: value === null ? null : valueOf(name, value) }).catch(() => {});
  }

  // Commands. Each returns a promise, which is settled when the viewer has done it.

  /** Goes to the page with a label, or else with a number. */
  goTo(page) {
    return this.#call("goTo", String(page));
  }

  /** Goes to the next page or spread. */
  next() {
    return this.#call("turn", 1);
  }

  /** Goes to the previous page or spread. */
  previous() {
    return this.#call("turn", -1);
  }

  /** Zooms by a factor about the middle. */
  zoomBy(factor) {
    return this.#call("zoomBy", factor);
  }

  /** Changes layout options: those of `layout` in docs/SERVE.md, and `fit: "auto"`. */
  arrange(options) {
    return this.#call("arrange", options);
  }

  /** Searches for words, and goes to the first hit. Resolves to the numbers of `hits` and of searched `pages`. */
  search(words) {
    return this.#call("search", String(words));
  }

  /** Goes to the next hit, or with -1 to the previous one. */
  step(distance = 1) {
    return this.#call("step", distance);
  }

  // The frame

  #open() {
    this.#close();
    if (!this.isConnected || !this.getAttribute("src")) return;
    const address = new URL(this.getAttribute("src"), document.baseURI);
    const members = new URLSearchParams(address.hash.slice(1));
    for (const name of ["page", ...options]) if (this.hasAttribute(name)) members.set(name, text(this, name));
    address.hash = members;
    this.#frame.title = this.getAttribute("aria-label") ?? this.title ?? "";
    this.#frame.src = address.href;
  }

  #close() {
    this.#port?.close();
    this.#port = null;
    this.info = this.current = null;
    for (const { reject } of this.#calls.values()) reject(new Error("the viewer was closed"));
    this.#calls.clear();
    this.#waiting = [];
  }

  /** Gives the viewer a channel of its own: no other frame can send or receive anything. */
  #connect() {
    if (!this.#frame.src) return;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }) => this.#receive(data);
    this.#frame.contentWindow.postMessage({ recto: "connect" }, new URL(this.#frame.src).origin, [port2]);
    this.#configure();
  }

  /** Tells which parts of the viewer the page replaces. */
  #configure() {
    const hasToolbar = this.#toolbar.assignedElements().length > 0;
    const settings = { hasToolbar, followsLinks: this.getAttribute("links") !== "report" };
    this.#port?.postMessage({ call: "configure", value: settings });
  }

  #call(call, value) {
    return new Promise((resolve, reject) => {
      const id = ++this.#last;
      this.#calls.set(id, { resolve, reject });
      if (this.info) this.#port.postMessage({ id, call, value });
      else this.#waiting.push({ id, call, value });
    });
  }

  #receive({ id, value, error, event, detail }) {
    if (id !== undefined) {
      const call = this.#calls.get(id);
      this.#calls.delete(id);
      if (error !== undefined) call?.reject(new Error(error));
      else call?.resolve(value);
      return;
    }
    if (event === "pagechange") this.current = detail;
    if (event === "ready") {
      this.info = detail;
      for (const call of this.#waiting.splice(0)) this.#port.postMessage(call);
    }
    this.dispatchEvent(new CustomEvent(event, { detail }));
  }
}

/** The value of an attribute as a layout option. */
function valueOf(name, value) {
  if (name === "rtl") return value !== "false";
  return numbers.includes(name) ? Number(value) : value;
}

function text(element, name) {
  return String(valueOf(name, element.getAttribute(name)));
}

if (!customElements.get("recto-viewer")) customElements.define("recto-viewer", RectoViewer);
