// How far the viewer zooms.

/** The smallest and the largest scale of a page: 10 % and 6,400 %. */
export const [smallestScale, largestScale] = [0.1, 64];
/** The smallest zoom of a layout that surely shows pages: below 0.01 it shows none, and scenes round it. */
const smallestZoom = 0.0101;
/** The most that one step of the wheel, a key or a button zooms. */
export const largestStep = 1.25;

/** The largest scale of the automatic zoom. */
const largestAutomaticScale = 1.25;

/**
 * The fit and the zoom that suit a scene whose spreads are as wide as the viewport: a page is at most a quarter larger
 * than its size in points, and one that is wider than high is shown as a whole.
 */
export function automaticZoom({ spreads, current, zoom }) {
  const page = spreads.flatMap((spread) => spread.pages).find((page) => page.number === current);
  if (page && page.frame.width > page.frame.height) return { fit: "page", zoom: 1 };
  return { fit: "width", zoom: page ? Math.min(1, (largestAutomaticScale * zoom) / page.scale) : 1 };
}

/** The scale of a page in a scene, by default of the current one. If it is not shown, that of a page that is, or the zoom. */
export function shownScale({ spreads, current, zoom }, number = current) {
  const pages = spreads.flatMap((spread) => spread.pages);
  return (pages.find((page) => page.number === number) ?? pages[0])?.scale ?? zoom;
}

/** The same scale from the lengths of the page, which are rounded less: steps of a zoom that are measured from it end at its limits. */
export function measuredScale(scene, number = scene.current) {
  const pages = scene.spreads.flatMap((spread) => spread.pages);
  const { frame, size } = pages.find((page) => page.number === number) ?? pages[0] ?? {};
  if (!frame || !size) return shownScale(scene, number);
  const longer = ({ width, height }) => Math.max(width, height);
  return longer(frame) / longer(size);
}

/** The factor by which a page of a scale, in a layout of a zoom, is zoomed if it is asked for `factor`; 1 changes nothing. */
export function boundedFactor(factor, scale, zoom = 1) {
  if (!(factor > 0 && scale > 0) || !Number.isFinite(factor)) return 1;
  // What is beyond the limits, because it was fitted or by a rounding error, stays.
  if (factor < 1) return Math.min(1, Math.max(factor, smallestScale / scale, smallestZoom / zoom));
  return Math.max(1, Math.min(factor, largestScale / scale));
}

/** The factor of a step of the wheel. */
export function wheelFactor(pixels) {
  return Math.min(Math.max(Math.exp(-pixels / 300), 1 / largestStep), largestStep);
}
