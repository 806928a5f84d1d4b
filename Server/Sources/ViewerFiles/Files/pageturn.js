// A page while it is turned: the scene has both spreads, and where the front, the back and the next page are seen.

/** Shows the pages of a scene with a turning page. */
export class PageTurn {
  #parts = {};

  constructor(content) {
    this.content = content;
    for (const name of ["revealed", "back"]) {
      const part = document.createElement("div");
      part.className = `turn ${name}`;
      this.#parts[name] = part;
    }
  }

  /**
   * Puts pages into their parts.
   *
   * `entries` are the views of the scene, each with its spread. The next spread lies in its own cell; it is moved
   * to the cell of the present one.
   */
  show(scene, origin, entries) {
    const { turn, spreads } = scene;
    if (!turn || spreads.length < 2) return this.#end(entries);
    const [present, next] = spreads;
    const shift = { x: next.frame.x + next.frame.width / 2 - middle(scene).x, y: 0 };
    const local = (points) => points.map(({ x, y }) => `${x - origin.x}px ${y - origin.y}px`).join(",");
    for (const [name, part] of Object.entries(this.#parts)) {
      part.style.width = `${scene.viewport.width}px`;
      part.style.height = `${scene.viewport.height}px`;
      part.style.clipPath = `polygon(${local(turn[name])})`;
      if (!part.isConnected) this.content.append(part);
    }
    for (const { view, spread } of entries) {
      if (spread === present.index) {
        const isTurned = view.page === present.pages.at(-1);
        const front = turn.front.map(({ x, y }) => `${x - view.place.x}px ${y - view.place.y}px`);
        view.element.style.clipPath = isTurned ? `polygon(${front.join(",")})` : "";
        this.#move(view, this.content, origin);
      } else {
        const isBack = next.pages.length > 1 && view.page === next.pages[0];
        const moved = { x: origin.x + shift.x, y: origin.y + shift.y };
        this.#move(view, this.#parts[isBack ? "back" : "revealed"], moved);
        if (isBack) this.#fold(view, turn, origin, shift);
      }
    }
  }

  #move(view, parent, origin) {
    if (view.element.parentElement !== parent) parent.append(view.element);
    view.move(origin);
  }

  /** The back of the sheet: where it will lie, mirrored at the spine and then at the fold, which turns it. */
  #fold(view, turn, origin, shift) {
    const matrix = new DOMMatrix();
    const [start, end] = turn.fold.map(({ x, y }) => ({ x: x - origin.x, y: y - origin.y }));
    const angle = (Math.atan2(end.y - start.y, end.x - start.x) * 180) / Math.PI;
    const spine = this.#spine(turn) - origin.x;
    // The reflection at the fold …
    matrix.translateSelf(start.x, start.y).rotateSelf(angle).scaleSelf(1, -1).rotateSelf(-angle).translateSelf(-start.x, -start.y);
    // … of the reflection at the spine.
    matrix.translateSelf(spine, 0).scaleSelf(-1, 1).translateSelf(-spine, 0);
    matrix.translateSelf(view.place.x - origin.x - shift.x, view.place.y - origin.y - shift.y);
    view.element.style.transform = matrix.toString();
  }

  /** The edge at which the sheet is bound: the one of the front that the fold does not touch. */
  #spine({ front, fold }) {
    const isLeft = front.some(({ x }) => x < Math.min(fold[0].x, fold[1].x));
    return isLeft ? Math.min(...front.map(({ x }) => x)) : Math.max(...front.map(({ x }) => x));
  }

  #end(entries) {
    for (const { view } of entries) {
      view.element.style.clipPath = "";
      if (view.element.parentElement !== this.content) this.content.append(view.element);
    }
    for (const part of Object.values(this.#parts)) part.remove();
  }
}

/** The middle of the viewport in the content. */
function middle({ viewport }) {
  return { x: viewport.x + viewport.width / 2, y: viewport.y + viewport.height / 2 };
}
