// The keys, and the list of them.

import { toggleFullScreen } from "./presentation.js";
import { string } from "./strings.js";
import { largestStep } from "./zooming.js";

/** The keys, and the names of the strings that tell what they do. */
const descriptions = [
  ["↑ ↓", "keyScroll"],
  ["← →", "keyTurn"],
  ["Page Up, Page Down, Space", "keyViewport"],
  ["Home, End", "keyEnds"],
  ["+ − 0", "keyZoom"],
  ["g", "goTo"],
  ["/, Ctrl+F", "search"],
  ["n, Shift+N", "keyHits"],
  ["b", "sidebar"],
  ["m", "menu"],
  ["r", "rotate"],
  ["d", "dark"],
  ["f", "fullScreen"],
  ["p", "present"],
  ["b, .", "keyBlank"],
  ["Ctrl+P", "print"],
  ["Alt+←", "back"],
  ["Esc", "keyEscape"],
  ["?", "keyList"],
];

const element = (id) => document.getElementById(id);

/** Carries out what keys stand for. */
export function listenForKeys(viewer) {
  element("key-list").append(
    ...descriptions.flatMap(([keys, text]) => {
      const [term, description] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = keys;
      description.textContent = string(text);
      return [term, description];
    }),
  );
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey) return withControl(event, viewer);
    if (event.altKey) return;
    if (event.key === "Escape") return escape(viewer);
    if (isTyping(event.target)) return;
    const action = (viewer.presentation.isOn && presentationAction(event, viewer)) || actionOf(event, viewer);
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

/** Ends a presentation in a window, or leads back to the document. An open menu closes by itself. */
function escape(viewer) {
  if (document.querySelector(":popover-open")) return;
  if (viewer.presentation.isOn) viewer.presentation.end();
  else element("stage").focus();
}

function isTyping(target) {
  return target.closest?.("input, select, textarea") !== null;
}

/** What a key stands for in a presentation alone; null if it has its usual meaning. */
function presentationAction({ key }, { presentation }) {
  if (key === "b" || key === ".") return () => presentation.toggleBlank();
  if (key === "p") return () => presentation.end();
  presentation.unblank();
  return null;
}

function actionOf({ key, shiftKey, target }, viewer) {
  const { stage } = viewer;
  const page = 0.9 * stage.viewport.height;
  const turns = stage.rests || stage.showsWhole;
  const forward = stage.layout?.rtl === true ? -1 : 1;
  const isButton = target.closest?.("button, a, li, [role=treeitem]");
  switch (key) {
    case "ArrowDown": return () => stage.scrollBy(0, 60);
    case "ArrowUp": return () => stage.scrollBy(0, -60);
    case "ArrowRight": return () => viewer.turn(forward);
    case "ArrowLeft": return () => viewer.turn(-forward);
    case "PageDown": return () => (turns ? viewer.turn(1) : stage.scrollBy(0, page));
    case "PageUp": return () => (turns ? viewer.turn(-1) : stage.scrollBy(0, -page));
    case " ":
      if (isButton) return null;
      return () => (turns ? viewer.turn(shiftKey ? -1 : 1) : stage.scrollBy(0, shiftKey ? -page : page));
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
    case "f": return toggleFullScreen;
    case "m": return openMenu;
    case "p": return () => viewer.presentation.start();
    case "?": return () => element("help-dialog").showModal();
    default: return null;
  }
}

function openMenu() {
  element("menu").showPopover();
  element("menu").querySelector("button, select").focus();
}
