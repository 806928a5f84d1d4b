// A page while it is turned: the scene has both spreads, and where their pages are on the way.

/** What lies on what, from below. */
const order = ["covered", "revealed", "front", "back"];
/** CSS pixels around a page that its shadow may take. */
const shadow = 8;

/** Shows the pages of a scene with a turning page. */
export class PageTurn {
  #paper = element("turn paper");
  #fold = element("turn fold");

  constructor(content) {
    this.content = content;
    this.#paper.append(document.createElement("div"));
  }

  /** Puts pages where they are on the way. `entries` are the views of the scene, each with its spread. */
  show(scene, origin, entries) {
    const { turn, viewport } = scene;
    if (!turn) return this.#end(entries);
    const local = ({ x, y }) => ({ x: x - origin.x, y: y - origin.y });
    const fold = new Fold(turn, local);
    const pages = new Set(turn.pages);
    for (const { view, spread } of entries) {
      // A page that is shown twice in a spread is there as often, in the same order.
      const page = [...pages].find((page) => page.spread === spread && page.number === view.number);
      pages.delete(page);
      if (page) this.#place(view, page, local(page.frame), fold);
      else this.#free(view);
    }
    const isBlank = !turn.pages.some(({ part }) => part === "back");
    this.#paper.hidden = !isBlank;
    this.#paper.style.width = `${viewport.width}px`;
    this.#paper.style.height = `${viewport.height}px`;
    this.#paper.firstChild.style.clipPath = polygon(turn.back.map(local));
    fold.style(this.#fold, turn.progress);
    if (!this.#paper.isConnected) this.content.append(this.#paper, this.#fold);
  }

  /** Stretches a page to its frame, and shows what the fold leaves of it. */
  #place(view, page, { x, y }, fold) {
    const { place, element } = view;
    const { frame, part, clip } = page;
    // The place is in whole pixels, and the frame is not.
    const shift = { x: place.x - view.page.frame.x, y: place.y - view.page.frame.y };
    const scale = { x: frame.width / view.page.frame.width, y: frame.height / view.page.frame.height };
    const matrix = part === "back" ? fold.turnedOver : new DOMMatrix();
    matrix.translateSelf(x + shift.x, y + shift.y).scaleSelf(scale.x, scale.y);
    element.style.transform = matrix.toString();
    element.style.zIndex = order.indexOf(part);
    let edges = { left: -shadow, top: -shadow, right: place.width + shadow, bottom: place.height + shadow };
    if (clip) {
      const left = ((clip.x - frame.x) / frame.width) * place.width;
      const top = ((clip.y - frame.y) / frame.height) * place.height;
      const right = left + (clip.width / frame.width) * place.width;
      const bottom = top + (clip.height / frame.height) * place.height;
      edges = { left, top, right, bottom };
    }
    const { left, top, right, bottom } = edges;
    const corners = [
      { x: left, y: top },
      { x: right, y: top },
      { x: right, y: bottom },
      { x: left, y: bottom },
    ];
    const side = { front: -1, back: -1, revealed: 1 }[part] ?? 0;
    element.style.clipPath = polygon(fold.cut(corners, matrix, side));
  }

  #free({ element }) {
    element.style.clipPath = "";
    element.style.zIndex = "";
  }

  #end(entries) {
    if (!this.#paper.isConnected) return;
    for (const { view } of entries) this.#free(view);
    this.#paper.remove();
    this.#fold.remove();
  }
}

/** The fold of a sheet. */
class Fold {
  constructor({ fold, spine, pages }, local) {
    [this.start, this.end] = fold.map(local);
    this.angle = Math.atan2(this.end.y - this.start.y, this.end.x - this.start.x);
    const { frame, clip } = pages.find(({ part }) => part === "front");
    const sheet = clip ?? frame;
    // 1 if the sheet is bound at its left edge.
    this.side = sheet.x + sheet.width / 2 < spine ? -1 : 1;
    this.spine = local({ x: spine, y: 0 }).x;
  }

  /** The distance beyond the fold; negative on the side of the spine. */
  distance({ x, y }) {
    const across = (x - this.start.x) * Math.sin(this.angle) - (y - this.start.y) * Math.cos(this.angle);
    return this.side * across;
  }

  /** Turns the sheet over: the reflection at the fold of the reflection at the spine. */
  get turnedOver() {
    const { start, spine } = this;
    const degrees = (this.angle * 180) / Math.PI;
    return new DOMMatrix()
      .translateSelf(start.x, start.y)
      .rotateSelf(degrees)
      .scaleSelf(1, -1)
      .rotateSelf(-degrees)
      .translateSelf(-start.x, -start.y)
      .translateSelf(spine, 0)
      .scaleSelf(-1, 1)
      .translateSelf(-spine, 0);
  }

  /** The part of a polygon that a matrix brings to one side of the fold: 1 beyond it, −1 at the spine, 0 both. */
  cut(corners, matrix, side) {
    const kept = [];
    const distances = corners.map((corner) => side * this.distance(matrix.transformPoint(corner)));
    for (const [index, corner] of corners.entries()) {
      const after = (index + 1) % corners.length;
      const [here, there] = [distances[index], distances[after]];
      if (here >= 0) kept.push(corner);
      if (here * there >= 0) continue;
      const share = here / (here - there);
      const next = corners[after];
      kept.push({ x: corner.x + (next.x - corner.x) * share, y: corner.y + (next.y - corner.y) * share });
    }
    return kept;
  }

  /** Puts the shadow of the turned part beyond the fold; there is none where the sheet lies flat. */
  style(element, progress) {
    const length = Math.hypot(this.end.x - this.start.x, this.end.y - this.start.y);
    const { x, y } = this.start;
    element.style.height = `${length}px`;
    element.style.transform = `translate(${x}px, ${y}px) rotate(${this.angle - Math.PI / 2}rad) scaleX(${this.side})`;
    element.style.opacity = Math.min(1, 5 * progress, 5 * (1 - progress));
  }
}

function element(name) {
  const element = document.createElement("div");
  element.className = name;
  return element;
}

/** A clip path; an empty one shows nothing. */
function polygon(points) {
  return `polygon(${points.map(({ x, y }) => `${x}px ${y}px`).join(",") || "0 0"})`;
}
