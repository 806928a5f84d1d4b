// The zoom of the reader: what is shown is stretched at once, and the scene with its tiles follows.

import { boundedFactor, largestScale, shownScale } from "./zooming.js";

/** The zoom of a stage, which dispatches `zoomed`. One request is sent at a time; factors that wait are multiplied. */
export class Zoom {
  #stage;
  #connection;
  #content;
  /** The zoom that waits, and the one that has no reply yet; null if there is none. */
  #waiting = null;
  #sent = null;

  constructor(stage, connection, content) {
    this.#stage = stage;
    this.#connection = connection;
    this.#content = content;
  }

  /** Zooms by a factor about a point of the viewport, within the limits of a page's scale. */
  by(wanted, about) {
    const { scene, viewport } = this.#stage;
    if (!scene) return;
    const factor = boundedFactor(wanted, shownScale(scene) * this.#factor);
    if (factor === 1) return;
    const point = about ?? { x: viewport.width / 2, y: viewport.height / 2 };
    this.#waiting = { factor: (this.#waiting?.factor ?? 1) * factor, about: point };
    this.#stage.dispatchEvent(new Event("zoomed"));
    this.#stretch();
    this.#send();
  }

  /** Makes the zoom as small as the largest scale demands. */
  bound() {
    const { scene } = this.#stage;
    const scale = shownScale(scene);
    if (scale > largestScale && scene.zoom > 1) this.by(Math.max(largestScale / scale, 1 / scene.zoom));
  }

  /** The product of the zooms that have no reply yet. */
  get #factor() {
    return (this.#sent?.factor ?? 1) * (this.#waiting?.factor ?? 1);
  }

  async #send() {
    if (this.#sent || !this.#waiting) return;
    this.#sent = this.#waiting;
    this.#waiting = null;
    try {
      const reply = await this.#connection.ask("zoom", this.#sent);
      this.#sent = null;
      this.#stage.show(reply);
    } catch (error) {
      this.#sent = null;
      this.#stage.report(error);
    }
    this.#stretch();
    this.#send();
  }

  /** Stretches what is shown by the zooms that have no reply yet. */
  #stretch() {
    const newest = this.#waiting ?? this.#sent;
    if (!newest) {
      this.#content.style.transform = "";
      return;
    }
    const { x, y } = this.#stage.scrolled;
    this.#content.style.transformOrigin = `${newest.about.x + x}px ${newest.about.y + y}px`;
    this.#content.style.transform = `scale(${this.#factor})`;
  }
}
