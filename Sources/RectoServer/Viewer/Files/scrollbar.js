// A scrollbar for content that is longer than the browser scrolls over.

import { visible } from "./names.js";
import { string } from "./strings.js";

/** The scrollbar along the axis of the layout. */
export class Scrollbar {
  #viewer;
  #bar = document.getElementById("scrollbar");
  #thumb = document.getElementById("thumb");
  #label = document.getElementById("scrollbar-label");
  #grip = null;
  /** The length of the bar. Reading it from the element would have the browser lay out the page in each scene. */
  #height = 0;

  constructor(viewer) {
    this.#viewer = viewer;
    viewer.stage.addEventListener("scene", () => this.#show());
    new ResizeObserver(() => {
      this.#height = this.#bar.clientHeight;
      if (viewer.stage.scene) this.#show();
    }).observe(this.#bar);
    this.#bar.addEventListener("pointerdown", (event) => this.#press(event));
    this.#bar.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"]) {
      this.#bar.addEventListener(name, () => this.#release());
    }
    this.#bar.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Position and length of the viewport as parts of the content. */
  get #part() {
    const { scene, layout } = this.#viewer.stage;
    const isHorizontal = layout?.axis === "horizontal";
    const [start, extent] = isHorizontal ? ["x", "width"] : ["y", "height"];
    const length = Math.max(scene.content[extent], scene.viewport[extent], 1);
    return { start: scene.viewport[start] / length, extent: scene.viewport[extent] / length, length };
  }

  #show() {
    const { scene } = this.#viewer.stage;
    const { start, extent } = this.#part;
    const height = this.#height;
    const length = Math.max(extent * height, 32);
    const room = 1 - extent;
    this.#thumb.style.height = `${length}px`;
    this.#thumb.style.top = `${room > 0 ? (start / room) * (height - length) : 0}px`;
    this.#bar.setAttribute("aria-valuemax", this.#viewer.info?.pages ?? 1);
    this.#bar.setAttribute("aria-valuenow", scene.current ?? 1);
    const page = string("page", { page: this.#viewer.current?.label ?? scene.current });
    this.#bar.setAttribute("aria-valuetext", page);
    this.#label.textContent = visible(page);
  }

  #press(event) {
    event.preventDefault();
    this.#bar.setPointerCapture(event.pointerId);
    const thumb = this.#thumb.getBoundingClientRect();
    const isOnThumb = event.clientY >= thumb.top && event.clientY <= thumb.bottom;
    this.#grip = isOnThumb ? event.clientY - thumb.top : thumb.height / 2;
    this.#label.hidden = false;
    this.#drag(event);
  }

  #drag(event) {
    if (this.#grip === null) return;
    const bar = this.#bar.getBoundingClientRect();
    const room = bar.height - this.#thumb.clientHeight;
    const place = Math.min(Math.max((event.clientY - bar.top - this.#grip) / room, 0), 1);
    this.#label.style.top = `${event.clientY - bar.top}px`;
    const { stage } = this.#viewer;
    const { extent, length } = this.#part;
    const offset = place * (1 - extent) * length;
    if (stage.rests) {
      const spread = Math.round(place * Math.max(0, (this.#viewer.info.pages ?? 1) - 1));
      this.#viewer.places.go({ number: spread + 1 });
    } else {
      stage.view({ offset: stage.layout?.axis === "horizontal" ? { x: offset } : { y: offset } });
    }
  }

  #release() {
    this.#grip = null;
    this.#label.hidden = true;
  }

  #key(event) {
    const { stage } = this.#viewer;
    const step = { ArrowDown: 40, ArrowUp: -40, PageDown: 0.9, PageUp: -0.9 }[event.key];
    if (event.key === "Home") this.#viewer.places.jump({ number: 1 });
    else if (event.key === "End") this.#viewer.places.jump({ number: this.#viewer.info.pages });
    else if (step) stage.scrollBy(0, Math.abs(step) < 1 ? step * stage.viewport.height : step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
