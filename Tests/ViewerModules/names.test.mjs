import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { isolatedText, visible } = await load("names.js");

test("characters that are not seen are shown by their numbers", () => {
  assert.equal(visible("report\u202Efdp.exe"), "report[U+202E]fdp.exe");
  assert.equal(visible("a\u0000b\u0007\u009F\uFEFF"), "a[U+0000]b[U+0007][U+009F][U+FEFF]");
});

test("no character that sets the direction of text is left", () => {
  let all = "";
  for (let code = 0; code < 0x10000; code += 1) {
    if (code < 0xd800 || code > 0xdfff) all += String.fromCharCode(code);
  }
  assert.doesNotMatch(visible(all), /[\p{Cc}\p{Bidi_Control}]/u);
});

test("other names stay as they are", () => {
  for (const name of ["", "book.pdf", "ספר (2).pdf", "كتاب.pdf", "👩‍👧.pdf", "می‌خواهم", "e\u0301"]) {
    assert.equal(visible(name), name);
    assert.equal(isolatedText(name), `\u2068${name}\u2069`);
  }
});
