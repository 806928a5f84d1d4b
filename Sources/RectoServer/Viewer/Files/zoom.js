// The zoom of the reader: pages are laid out anew at once, or stretched where their layout is not known in the browser,
// and the scene with its tiles follows.

import { boundedFactor, largestScale, measuredScale } from "./zooming.js";

/** The zoom of a stage, which dispatches `zoomed`. One request is sent at a time; factors that wait are multiplied. */
export class Zoom {
  #stage;
  #content;
  /** The zoom that waits, and the one that has no reply yet; null if there is none. */
  #waiting = null;
  #sent = null;
  /** The page that was the current one and the scale that it will have; null if all zooms have a reply. */
  #target = null;

  constructor(stage, content) {
    this.#stage = stage;
    this.#content = content;
  }

  /** Whether a zoom waits that is shown already. */
  get isAhead() {
    return this.#waiting?.isExpected === true;
  }

  /** The factor from what the scene shows to what was asked for last. */
  get #unseen() {
    return this.#target ? this.#target.scale / measuredScale(this.#stage.scene, this.#target.page) : 1;
  }

  /** Zooms by a factor about a point of the viewport, within the limits of a page's scale. */
  by(wanted, about) {
    const { scene, viewport } = this.#stage;
    if (!scene) return;
    const unseen = this.#unseen;
    const factor = boundedFactor(wanted, measuredScale(scene) * unseen, scene.zoom * unseen);
    if (factor === 1) return;
    const point = about ?? { x: viewport.width / 2, y: viewport.height / 2 };
    const page = this.#target?.page ?? scene.current;
    this.#target = { page, scale: measuredScale(scene, page) * unseen * factor };
    const isExpected = this.#stage.expect("zoom", { factor: unseen * factor, about: point });
    this.#waiting = { factor: (this.#waiting?.factor ?? 1) * factor, about: point, isExpected };
    this.#stage.dispatchEvent(new Event("zoomed"));
    this.#stretch();
    this.#send();
  }

  /** Makes the zoom as small as the largest scale demands. */
  bound() {
    const { scene } = this.#stage;
    const scale = measuredScale(scene);
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
      // What waits was measured from a scale that there will not be.
      this.#waiting = null;
      this.#stage.report(error);
    }
    this.#sent = null;
    if (!this.#waiting) this.#target = null;
    this.#stretch();
    this.#send();
  }

  /** Stretches what is shown by the zooms that the scene does not show. */
  #stretch() {
    const { about } = this.#waiting ?? this.#sent ?? {};
    const unseen = this.#unseen;
    if (!about || Math.abs(unseen - 1) < 1e-4) {
      this.#content.style.transform = "";
      return;
    }
    const { x, y } = this.#stage.scrolled;
    this.#content.style.transformOrigin = `${about.x + x}px ${about.y + y}px`;
    this.#content.style.transform = `scale(${unseen})`;
  }
}
