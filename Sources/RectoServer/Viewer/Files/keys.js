// The keys, and the list of them.

import { largestStep } from "./zooming.js";

const descriptions = [
  ["↑ ↓", "scroll"],
  ["← →", "previous, next page"],
  ["Page Up, Page Down, Space", "scroll by a viewport"],
  ["Home, End", "first, last page"],
  ["+ − 0", "zoom in, out, fit"],
  ["g", "go to a page by label or number"],
  ["/, Ctrl+F", "search"],
  ["n, Shift+N", "next, previous hit"],
  ["b", "sidebar"],
  ["r", "rotate"],
  ["d", "dark paper"],
  ["Ctrl+P", "print"],
  ["Alt+←", "back"],
  ["?", "this list"],
];

const element = (id) => document.getElementById(id);

/** Carries out what keys stand for. */
export function listenForKeys(viewer) {
  element("key-list").append(
    ...descriptions.flatMap(([keys, text]) => {
      const [term, description] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = keys;
      description.textContent = text;
      return [term, description];
    }),
  );
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey) return withControl(event, viewer);
    if (event.altKey || isTyping(event.target)) return;
    const action = actionOf(event, viewer);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function withControl(event, viewer) {
  const actions = {
    f: () => viewer.search.focus(),
    p: () => element("print").click(),
    "+": () => viewer.stage.zoomBy(largestStep),
    "=": () => viewer.stage.zoomBy(largestStep),
    "-": () => viewer.stage.zoomBy(1 / largestStep),
    0: () => viewer.arrange({ fit: "auto", zoom: 1 }),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function isTyping(target) {
  return target.closest?.("input, select, textarea") !== null;
}

function actionOf({ key, shiftKey, target }, viewer) {
  const { stage } = viewer;
  const page = 0.9 * stage.viewport.height;
  const forward = stage.layout?.rtl === true ? -1 : 1;
  const isButton = target.closest?.("button, a, li, [role=treeitem]");
  switch (key) {
    case "ArrowDown": return () => stage.scrollBy(0, 60);
    case "ArrowUp": return () => stage.scrollBy(0, -60);
    case "ArrowRight": return () => viewer.turn(forward);
    case "ArrowLeft": return () => viewer.turn(-forward);
    case "PageDown": return () => (stage.rests ? viewer.turn(1) : stage.scrollBy(0, page));
    case "PageUp": return () => (stage.rests ? viewer.turn(-1) : stage.scrollBy(0, -page));
    case " ":
      if (isButton) return null;
      return () => (stage.rests ? viewer.turn(shiftKey ? -1 : 1) : stage.scrollBy(0, shiftKey ? -page : page));
    case "Home": return () => viewer.places.jump({ number: 1 });
    case "End": return () => viewer.places.jump({ number: viewer.info.pages });
    case "+": case "=": return () => stage.zoomBy(largestStep);
    case "-": return () => stage.zoomBy(1 / largestStep);
    case "0": return () => viewer.arrange({ fit: "auto", zoom: 1 });
    case "g": return () => { element("page").focus(); element("page").select(); };
    case "/": return () => viewer.search.focus();
    case "n": return () => viewer.search.step(1);
    case "N": return () => viewer.search.step(-1);
    case "b": return () => viewer.sidebar.toggle();
    case "r": return () => viewer.rotate();
    case "d": return () => viewer.toggleDarkPaper();
    case "?": return () => element("help-dialog").showModal();
    default: return null;
  }
}
