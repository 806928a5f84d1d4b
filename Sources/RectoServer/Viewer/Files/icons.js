// The icons: lines on a grid of 24 units, in the color of the text.

const shapes = {
  sidebar: "M4 5h16v14H4zM9 5v14",
  documents: "M4 5h4v14H4zM10 5h4v14h-4zM16.5 5.6l3.4 13-2.4.6",
  back: "M9 6 4 11l5 5M4 11h9a6 6 0 0 1 6 6v1",
  previous: "M14 6l-6 6 6 6",
  next: "M10 6l6 6-6 6",
  "zoom-in": "M12 5v14M5 12h14",
  "zoom-out": "M5 12h14",
  search: "M10.5 4.5a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15 15l5 5",
  "one-scale": "M4 7h7v10H4zM13 7h7v10h-7zM4 20h16",
  match: "M4 5h16M4 19h16M7 8v8M17 8v8",
  rtl: "M20 8H6M9 5 6 8l3 3M4 16h14M15 13l3 3-3 3",
  rotate: "M19 12a7 7 0 1 1-2.3-5.2M17 3v4h-4",
  "dark-paper": "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  "full-screen": "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  present: "M3 5h18M5 5v10h14V5M12 15v5M9 20h6",
  print: "M7 9V4h10v5M7 16H4V9h16v7h-3M7 13h10v7H7z",
  help: "M3 7h18v10H3zM7 10.5h.1M12 10.5h.1M17 10.5h.1M8 14h8",
  menu: "M12 5.5h.1M12 12h.1M12 18.5h.1",
  "hit-previous": "M6 14l6-6 6 6",
  "hit-next": "M6 10l6 6 6-6",
};
const filled = new Set(["dark-paper"]);

const space = "http://www.w3.org/2000/svg";

/** Puts icons into the elements that name one: `data-icon`. Their names stay those of the elements. */
export function fillIcons(root) {
  for (const element of root.querySelectorAll("[data-icon]")) {
    const picture = root.createElementNS(space, "svg");
    picture.setAttribute("viewBox", "0 0 24 24");
    picture.setAttribute("aria-hidden", "true");
    picture.classList.add("icon");
    const [first, ...others] = shapes[element.dataset.icon].split(/(?=M)/);
    for (const [index, shape] of [first, others.join("")].entries()) {
      const path = root.createElementNS(space, "path");
      path.setAttribute("d", shape);
      if (index === 0 && filled.has(element.dataset.icon)) path.setAttribute("fill", "currentColor");
      picture.append(path);
    }
    element.prepend(picture);
  }
}
