// Zooming with the wheel and two fingers; turning pages with the wheel and one finger.

import { wheelFactor } from "./zooming.js";

/** Pixels of the wheel that turn a page. */
const turnDistance = 80;
/** Milliseconds between two turns of the wheel. */
const turnTime = 250;
/** What a double tap zooms by. */
const doubleTapFactor = 2;

/** Zooms where a finger taps twice, and back. */
export function listenForDoubleTaps(element, stage) {
  let isTouch = false;
  let factor = 1;
  element.addEventListener("pointerdown", ({ pointerType }) => (isTouch = pointerType === "touch"));
  element.addEventListener("dblclick", (event) => {
    if (!isTouch || event.target.closest("a, button")) return;
    event.preventDefault();
    factor = factor === 1 ? doubleTapFactor : 1 / factor;
    stage.zoomBy(factor, pointIn(element, event));
    if (factor < 1) factor = 1;
  });
}

/** Zooms with ctrl and the wheel, as trackpads report a pinch, and with two fingers. */
export function listenForPinches(element, stage) {
  element.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      stage.zoomBy(wheelFactor(pixels(event.deltaY, event)), pointIn(element, event));
    },
    { passive: false },
  );
  const fingers = new Map();
  let before = null;
  element.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") fingers.set(event.pointerId, event);
  });
  element.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (fingers.size !== 2) return;
    const [first, second] = [...fingers.values()];
    const distance = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY);
    if (before) {
      const middle = {
        clientX: (first.clientX + second.clientX) / 2,
        clientY: (first.clientY + second.clientY) / 2,
      };
      stage.zoomBy(distance / before, pointIn(element, middle));
    }
    before = distance;
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    element.addEventListener(name, (event) => {
      fingers.delete(event.pointerId);
      before = null;
    });
  }
}

/** Turns pages in layouts whose spreads rest: with the wheel, and by a finger that a page follows. */
export function listenForSwipes(element, stage) {
  let sum = 0;
  let lastTurn = 0;
  element.addEventListener(
    "wheel",
    (event) => {
      if (!stage.rests || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const [x, y] = [pixels(event.deltaX, event), pixels(event.deltaY, event)];
      // A spread that is larger than the viewport is panned; `by` goes on to the next one at its end.
      if (isLarger(stage)) return stage.view({ by: { x, y } });
      sum += Math.abs(x) > Math.abs(y) ? x : y;
      if (Math.abs(sum) < turnDistance || event.timeStamp - lastTurn < turnTime) return;
      stage.step(Math.sign(sum));
      sum = 0;
      lastTurn = event.timeStamp;
    },
    { passive: false },
  );
  let start = null;
  element.addEventListener("pointerdown", (event) => {
    const isFinger = event.pointerType === "touch" && event.isPrimary;
    start = stage.rests && isFinger ? { x: event.clientX, spread: stage.currentSpread } : null;
  });
  element.addEventListener("pointermove", (event) => {
    if (!start || isLarger(stage)) return;
    const isReversed = stage.layout?.rtl === true;
    const progress = ((start.x - event.clientX) / element.clientWidth) * (isReversed ? -1 : 1);
    const spread = progress < 0 ? start.spread - 1 : start.spread;
    if (spread < 0) return;
    start.progress = progress;
    stage.view({ spread, progress: Math.min(Math.max(progress < 0 ? 1 + progress : progress, 0), 1) });
  });
  for (const name of ["pointerup", "pointercancel"]) {
    element.addEventListener(name, () => {
      if (start?.progress !== undefined) {
        const step = Math.abs(start.progress) > 0.3 ? Math.sign(start.progress) : 0;
        stage.view({ spread: Math.max(0, start.spread + step) });
      }
      start = null;
    });
  }
}

/** Whether the spread in the viewport is larger than the viewport. */
function isLarger(stage) {
  const { scene } = stage;
  const spread = scene?.spreads.find((spread) => spread.index === stage.currentSpread);
  return (
    spread &&
    (spread.frame.width > scene.viewport.width + 1 || spread.frame.height > scene.viewport.height + 1)
  );
}

function pointIn(element, { clientX, clientY }) {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}

/** The distance of a wheel in pixels. */
function pixels(delta, { deltaMode }) {
  return deltaMode === WheelEvent.DOM_DELTA_LINE ? delta * 16 : deltaMode === WheelEvent.DOM_DELTA_PAGE ? delta * 800 : delta;
}
