// What the browser remembers: where documents were read last, and the reader's choices.

/** Documents that are remembered. */
const most = 500;
const prefix = "recto/document/";

/** The storage; nothing is remembered where the browser allows none. */
function storage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

function read(name) {
  try {
    return JSON.parse(storage()?.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

function write(name, value) {
  try {
    storage()?.setItem(name, JSON.stringify(value));
  } catch {
    // It is full.
  }
}

/** Where a document was read last: `fragment` of its address, `title`, `label` of the page, `time`; or null. */
export function lastPlace(id) {
  const place = read(prefix + id);
  return typeof place?.fragment === "string" && Number.isFinite(place.time) ? place : null;
}

/** Remembers where a document is read. */
export function rememberPlace(id, place) {
  const names = Object.keys(storage() ?? {}).filter((name) => name.startsWith(prefix) && name !== prefix + id);
  if (names.length >= most) {
    const time = (name) => read(name)?.time ?? 0;
    names.sort((one, other) => time(one) - time(other));
    for (const name of names.slice(0, names.length - most + 1)) storage().removeItem(name);
  }
  write(prefix + id, { ...place, time: Date.now() });
}

/** A choice of the reader's for all documents; null if none was made. */
export function choice(name) {
  return read(`recto/choice/${name}`);
}

/** Remembers a choice. */
export function rememberChoice(name, value) {
  write(`recto/choice/${name}`, value);
}
