// On a narrow window the toolbar hides while pages are read, and comes back for a tap or when the reader goes back.

/** Where the toolbar lies on the document. */
export const isNarrow = matchMedia("(max-width: 560px)");

/** Pixels in one direction after which the toolbar hides or comes back. */
const distance = 24;
/** Pixels and milliseconds that a tap has at the most. */
const [tapDistance, tapTime] = [10, 300];

/** Hides and shows the toolbar. */
export function listenForReading(stage, element) {
  const { classList } = document.body;
  const toolbar = document.getElementById("toolbar");
  let [last, turn] = [0, 0];
  const isUsed = () => toolbar.contains(document.activeElement) || document.querySelector(":popover-open") !== null;
  element.addEventListener(
    "scroll",
    () => {
      const top = element.scrollTop;
      // A jump is no reading.
      const isJump = Math.abs(top - last) > element.clientHeight;
      if (isJump || Math.sign(top - last) !== Math.sign(last - turn)) turn = last;
      last = top;
      if (isJump || Math.abs(top - turn) < distance) return;
      classList.toggle("reading", top > turn && isNarrow.matches && !isUsed());
    },
    { passive: true },
  );
  let start = null;
  element.addEventListener("pointerdown", (event) => {
    start = event.pointerType === "touch" && event.isPrimary ? event : null;
  });
  element.addEventListener("pointerup", (event) => {
    const isTap =
      start &&
      event.timeStamp - start.timeStamp < tapTime &&
      Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < tapDistance;
    if (isTap && isNarrow.matches && !event.target.closest("a, button")) classList.toggle("reading");
  });
  toolbar.addEventListener("focusin", () => classList.remove("reading"));
  stage.addEventListener("resized", () => classList.remove("reading"));
}
