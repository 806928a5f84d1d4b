// Loads modules of the viewer that import nothing and need no browser.

import { readFileSync } from "node:fs";

const folder = new URL("../../Sources/RectoServer/Viewer/Files/", import.meta.url);

/** The exports of a module. As a data URL: Node takes a file with this ending for a script. */
export function load(name) {
  const source = readFileSync(new URL(name, folder), "utf8");
  return import(`data:text/javascript,${encodeURIComponent(source)}`);
}
