// A browser learns of all modules of a page from the page, and not from one another, one round trip after the other.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const folder = new URL("../../Sources/RectoServer/Viewer/Files/", import.meta.url);
const text = (name) => readFileSync(new URL(name, folder), "utf8");

/** The modules that one imports, and those that they import. */
function imported(name, found = new Set()) {
  for (const [, other] of text(name).matchAll(/(?:from|import) "\.\/([\w-]+\.js)"/g)) {
    if (found.has(other)) continue;
    found.add(other);
    // The layout engine is built; its module imports nothing.
    if (other !== "pagelayout.js") imported(other, found);
  }
  return found;
}

for (const page of ["index.html", "library.html"]) {
  test(`${page} names each module that its script imports`, () => {
    const [, script] = text(page).match(/<script type="module" src="[^"]*\/([\w-]+\.js)"/);
    const named = [...text(page).matchAll(/<link rel="modulepreload" href="[^"]*\/([\w-]+\.js)"/g)];
    assert.deepEqual(named.map(([, name]) => name), [...imported(script)].sort());
  });
}
