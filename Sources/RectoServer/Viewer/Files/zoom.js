// The zoom of the reader: pages are laid out anew at once, or stretched where their layout is not known in the browser,
// and the scene with its tiles follows.

import { boundedFactor, largestScale, shownScale } from "./zooming.js";

/** The zoom of a stage, which dispatches `zoomed`. One request is sent at a time; factors that wait are multiplied. */
export class Zoom {
  #stage;
  #content;
  /** The zoom that waits, and the one that has no reply yet; null if there is none. */
  #waiting = null;
  #sent = null;
  /** The product of the zooms that the scene does not show yet. */
  #unseen = 1;

  constructor(stage, content) {
    this.#stage = stage;
    this.#content = content;
  }

  /** Whether a zoom waits that is shown already. */
  get isAhead() {
    return this.#waiting?.isExpected === true;
  }

  /** Zooms by a factor about a point of the viewport, within the limits of a page's scale. */
  by(wanted, about) {
    const { scene, viewport } = this.#stage;
    if (!scene) return;
    const factor = boundedFactor(wanted, shownScale(scene) * this.#unseen);
    if (factor === 1) return;
    const point = about ?? { x: viewport.width / 2, y: viewport.height / 2 };
    const isExpected = this.#stage.expect("zoom", { factor, about: point });
    if (!isExpected) this.#unseen *= factor;
    const before = this.#waiting ?? { factor: 1, isExpected: true };
    this.#waiting = { factor: before.factor * factor, about: point, isExpected: before.isExpected && isExpected };
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

  async #send() {
    if (this.#sent || !this.#waiting) return;
    this.#sent = this.#waiting;
    this.#waiting = null;
    const { factor, about, isExpected } = this.#sent;
    try {
      const reply = await this.#stage.ask("zoom", { factor, about }, isExpected);
      this.#stage.show(reply);
    } catch (error) {
      this.#stage.report(error);
    }
    this.#sent = null;
    this.#unseen = this.#waiting && !this.#waiting.isExpected ? this.#waiting.factor : 1;
    this.#stretch();
    this.#send();
  }

  /** Stretches what is shown by the zooms that the scene does not show. */
  #stretch() {
    const { about } = this.#waiting ?? this.#sent ?? {};
    if (!about || this.#unseen === 1) {
      this.#content.style.transform = "";
      return;
    }
    const { x, y } = this.#stage.scrolled;
    this.#content.style.transformOrigin = `${about.x + x}px ${about.y + y}px`;
    this.#content.style.transform = `scale(${this.#unseen})`;
  }
}
