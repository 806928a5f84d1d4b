// Full screen, and the presentation: a spread at a time on the whole screen, without the controls.

import { string } from "./strings.js";

const element = (id) => document.getElementById(id);

/** Shows the viewer on the whole screen, or in its window again. */
export async function toggleFullScreen() {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen();
  } catch {
    // The browser does not allow it; a presentation fills the window then.
  }
}

/** The presentation of a document. */
export class Presentation {
  #viewer;
  /** The layout before the presentation; null if there is none. */
  #before = null;

  constructor(viewer) {
    this.#viewer = viewer;
    document.addEventListener("fullscreenchange", () => {
      const isFull = document.fullscreenElement !== null;
      element("full-screen").setAttribute("aria-pressed", isFull);
      if (!isFull) this.end();
    });
    element("stage").addEventListener("click", ({ target }) => {
      if (!this.isOn || target.closest("a, button") || !getSelection().isCollapsed) return;
      if (!this.unblank()) viewer.turn(1);
    });
  }

  get isOn() {
    return this.#before !== null;
  }

  async start() {
    if (this.isOn) return;
    const { layout, stage } = this.#viewer;
    const { mode, axis = null, fit } = layout;
    this.#before = { mode, axis, fit, zoom: fit === "auto" ? 1 : stage.scene.zoom };
    document.body.classList.add("presenting");
    element("stage").focus();
    if (!document.fullscreenElement) await toggleFullScreen();
    await this.#viewer.arrange({ mode: "paged", axis: "horizontal", fit: "page", zoom: 1 });
  }

  async end() {
    if (!this.isOn) return;
    const before = this.#before;
    this.#before = null;
    this.unblank();
    document.body.classList.remove("presenting");
    if (document.fullscreenElement) await toggleFullScreen();
    await this.#viewer.arrange(before);
  }

  /** Blanks the screen, or shows the page again. */
  toggleBlank() {
    if (this.unblank()) return;
    element("blank").hidden = false;
    element("announcement").textContent = string("keyBlank");
  }

  /** Shows the page if the screen is blank; says whether it was. */
  unblank() {
    const wasBlank = !element("blank").hidden;
    element("blank").hidden = true;
    return wasBlank;
  }
}
