// What the fragment of an address says: a place and layout options. A wrong member is as good as none, so that the
// others are used.

/** The largest zoom that the server takes. */
const largestZoom = 1_000_000;
/** The longest label of a page. */
const longestLabel = 1000;

const oneOf = (...values) => (text) => (values.includes(text) ? text : undefined);

/** The value of each layout option, from its text; undefined if it has none. */
const options = new Map([
  ["mode", oneOf("continuous", "paged", "grid", "carousel", "flow")],
  ["spread", oneOf("single", "double", "book")],
  ["axis", oneOf("vertical", "horizontal")],
  ["fit", oneOf("auto", "none", "width", "height", "page")],
  ["fitScope", oneOf("spread", "document")],
  ["match", oneOf("none", "height", "width")],
  ["rtl", (text) => ({ true: true, false: false })[oneOf("true", "false")(text)]],
  ["rotate", (text) => ({ 0: 0, 90: 90, 180: 180, 270: 270 })[oneOf("0", "90", "180", "270")(text)]],
]);

/** The names of the layout options. */
export const optionNames = [...options.keys()];

function number(text) {
  return text === null || text.trim() === "" ? NaN : Number(text);
}

/** The place and the layout options of a fragment, without its `#`. */
export function readFragment(text) {
  const members = new URLSearchParams(text);
  const layout = {};
  for (const [name, read] of options) {
    const value = members.has(name) ? read(members.get(name)) : undefined;
    if (value !== undefined) layout[name] = value;
  }
  const zoom = number(members.get("zoom"));
  if (zoom > 0 && zoom <= largestZoom) layout.zoom = zoom;
  const label = members.get("page");
  const isLabel = label !== null && label.length <= longestLabel && !label.includes("\0");
  const page = number(members.get("number"));
  const fraction = number(members.get("at"));
  return {
    place: {
      page: isLabel ? label : null,
      ...(page >= 1 && page <= Number.MAX_SAFE_INTEGER && Number.isInteger(page) && { number: page }),
      fraction: Number.isFinite(fraction) ? fraction : 0,
    },
    layout,
  };
}
