// Loads modules of the viewer that need no browser.

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const source = new URL("../../Sources/RectoServer/Viewer/Files/", import.meta.url);
const engine = new URL("../../.build/wasm/pagelayout.wasm", import.meta.url);
// Node takes a file with this ending for a script, unless a file beside it says that they are modules.
const folder = mkdtempSync(join(tmpdir(), "viewer-modules-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
cpSync(source, folder, { recursive: true, dereference: true });
writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));

/** The exports of a module. */
export function load(name) {
  return import(pathToFileURL(join(folder, name)));
}

/** Whether the layout engine was compiled (scripts/wasm). The modules then get it in place of what they fetch. */
export const hasEngine = existsSync(engine);

globalThis.fetch = async (address) => {
  const isEngine = hasEngine && String(address).endsWith("/pagelayout.wasm");
  return isEngine ? new Response(readFileSync(engine)) : new Response(null, { status: 404 });
};
