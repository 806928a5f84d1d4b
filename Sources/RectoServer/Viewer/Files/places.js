// Places in the document: deep links, history, and pages by label or number.

import { optionNames, readFragment } from "./fragment.js";
import { lastPlace, rememberPlace } from "./memory.js";

/** Milliseconds after the last scene until the address shows the place. */
const addressDelay = 300;

/** The place in the address, and those that can be gone back to. */
export class Places {
  #viewer;
  #timer = 0;
  /** Whether the place in the address was not gone to yet. */
  isGoing = true;

  constructor(viewer) {
    this.#viewer = viewer;
    const { place, layout } = readFragment(location.hash.slice(1) || (lastPlace(viewer.id)?.fragment ?? ""));
    this.wanted = place;
    this.layout = { mode: "continuous", ...usualFit(layout), ...layout };
    viewer.stage.addEventListener("scene", ({ detail }) => detail.isExpected || this.#writeLater());
    addEventListener("popstate", () => this.#return());
  }

  /** The present place. */
  get present() {
    const { anchor, spreads, current } = this.#viewer.stage.scene ?? {};
    const number = anchor?.page ?? current;
    const pages = (spreads ?? []).flatMap((spread) => spread.pages);
    const page = pages.find((page) => page.number === number);
    return { number, page: page?.label ?? String(number), fraction: anchor?.fraction ?? 0 };
  }

  /** The page that a label or a number names; null if there is none. */
  async find(text) {
    const { connection, info } = this.#viewer;
    const { pages } = await connection.ask("pages", { label: text });
    if (pages.length > 0) return { number: pages[0].number, fraction: 0 };
    const number = Number(text);
    return Number.isInteger(number) && number >= 1 && number <= info.pages
      ? { number, fraction: 0 }
      : null;
  }

  /** Goes to a place. */
  async go(place, { isFirst = false } = {}) {
    const found = place?.number ? place : place?.page ? await this.find(place.page) : null;
    this.isGoing = false;
    if (!found) return;
    if (isFirst && found.number === 1 && !place.fraction) return;
    const number = Math.min(found.number, this.#viewer.info.pages);
    const fraction = Math.min(Math.max(place.fraction ?? 0, -1), 2);
    // The small picture comes together with the reply.
    this.#viewer.stage.pages.coarse.load(number);
    await this.#viewer.stage.go("view", { anchor: { page: number, fraction } });
  }

  /** Goes to a place and remembers the present one for the way back. */
  async jump(place) {
    this.push();
    await this.go(place);
  }

  /** Remembers the present place for the way back. */
  push() {
    clearTimeout(this.#timer);
    history.replaceState(null, "", this.#address());
    history.pushState(null, "", this.#address());
  }

  /** Follows the target of a link or of an entry of the outline. */
  async follow(target) {
    if (target.kind === "page") {
      this.push();
      if (target.name) {
        await this.#viewer.stage.go("destination", { name: target.name, keepZoom: true });
      } else {
        await this.go({ number: target.page, fraction: 0 });
        await this.#scrollTo(target);
      }
    } else if (target.kind === "uri" && isSafe(target.uri)) {
      window.open(target.uri, "_blank", "noopener,noreferrer");
    } else if (target.kind === "action") {
      await this.#act(target.action);
    }
  }

  /** Scrolls down to a point of the page that is now at the start of the viewport. */
  async #scrollTo(target) {
    const { stage } = this.#viewer;
    const pages = stage.scene.spreads.flatMap((spread) => spread.pages);
    const page = pages.find((page) => page.number === target.page);
    const y = target.y ?? target.area?.y;
    if (!page || stage.rests || !(y > 0)) return;
    await this.go({ number: target.page, fraction: Math.min(y / page.size.height, 1) });
  }

  async #act(action) {
    const { info } = this.#viewer;
    if (action === "NextPage") this.#viewer.turn(1);
    else if (action === "PrevPage") this.#viewer.turn(-1);
    else if (action === "FirstPage") await this.jump({ number: 1 });
    else if (action === "LastPage") await this.jump({ number: info.pages });
  }

  // The address

  #address() {
    const { page, fraction } = this.present;
    const { layout } = this.#viewer;
    const members = new URLSearchParams({ page });
    if (fraction > 0.0005) members.set("at", fraction.toFixed(4));
    const zoom = this.#viewer.stage.scene?.zoom;
    if (zoom && zoom !== 1 && layout.fit !== "auto") members.set("zoom", zoom.toFixed(4));
    for (const name of optionNames) {
      if (layout[name] !== undefined && layout[name] !== null) members.set(name, layout[name]);
    }
    return `#${members}`;
  }

  #writeLater() {
    if (this.isGoing) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), addressDelay);
  }

  /** Shows the place in the address, and remembers it for the next time; a presentation is none. */
  #write() {
    if (this.#viewer.presentation.isOn) return;
    const address = this.#address();
    history.replaceState(null, "", address);
    const { info, id } = this.#viewer;
    rememberPlace(id, { fragment: address.slice(1), title: info.title, label: this.present.page });
  }

  #return() {
    clearTimeout(this.#timer);
    this.go(readFragment(location.hash.slice(1)).place);
  }
}

/** The fit of an address that has none: a zoom is one on top of the width. */
function usualFit({ mode = "continuous", axis = "vertical", zoom }) {
  return { fit: mode === "continuous" && axis === "vertical" && zoom === undefined ? "auto" : "width" };
}

/** Whether an address may be opened. */
export function isSafe(uri) {
  try {
    return ["http:", "https:", "mailto:"].includes(new URL(uri).protocol);
  } catch {
    return false;
  }
}
