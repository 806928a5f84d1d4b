// The hits in an answer of the IIIF Content Search API.

/** The hits in the order of pages: `page`, `before`, `match` and `after`, and the `box` on its image, unless it is slanted. */
export function hitsOf({ items = [], annotations = [] }) {
  const contexts = new Map();
  for (const { target } of annotations.flatMap((page) => page.items ?? [])) {
    contexts.set(target.source, target.selector[0]);
  }
  return items.map(({ id, body, target }) => {
    const [canvas, place] = (target.source ?? target).split("#xywh=");
    const [x, y, width, height] = place?.split(",").map(Number) ?? [];
    const { prefix = "", exact = body.value, suffix = "" } = contexts.get(id) ?? {};
    const box = place ? { x, y, width, height } : null;
    return { page: Number(canvas.split("/").pop()), box, before: prefix, match: exact, after: suffix };
  });
}
