// How far the viewer zooms.

/** The smallest and the largest scale of a page: 10 % and 6,400 %. */
export const [smallestScale, largestScale] = [0.1, 64];
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

/** The scale that the toolbar shows: that of the current page, or the zoom if no page is shown. */
export function shownScale({ spreads, current, zoom }) {
  const pages = spreads.flatMap((spread) => spread.pages);
  return pages.find((page) => page.number === current)?.scale ?? zoom;
}

/** The factor by which a page of a scale is zoomed if it is asked for `factor`; 1 changes nothing. */
export function boundedFactor(factor, scale) {
  if (!(factor > 0 && scale > 0) || !Number.isFinite(factor)) return 1;
  // What is beyond the limits, because it was fitted or by a rounding error, stays.
  if (factor < 1) return Math.min(1, Math.max(factor, smallestScale / scale));
  return Math.max(1, Math.min(factor, largestScale / scale));
}

/** The factor of a step of the wheel. */
export function wheelFactor(pixels) {
  return Math.min(Math.max(Math.exp(-pixels / 300), 1 / largestStep), largestStep);
}
