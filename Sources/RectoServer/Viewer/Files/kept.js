// What the browser keeps of documents that were read, for the time when there is no server: files of the viewer, pictures
// whose address has a version, and what was replied about pages. Nothing of a document with a password.

import { address } from "./addresses.js";

/** Bytes that are kept, and the share of what the browser allows. The oldest entries are dropped first. */
const [most, share] = [256 << 20, 0.5];
/** Entries that are added before the bytes are counted, and the share that is dropped if they are too many. */
const [interval, surplus] = [64, 0.1];
/** Entries that are written together. */
const atOnce = 16;
/** The files of the list of documents, which shows those that are kept. */
const listFiles = ["library.html", "library.css", "library.js", "librarysearch.js", "foundtext.js", "rows.js"];
/** Whether there is no server: there is no answer, or that of a proxy. */
export function isGone(response) {
  return !response || [502, 503, 504].includes(response.status);
}

const idle = (action) => (globalThis.requestIdleCallback ?? setTimeout)(action);

/** The entries of the browser. There are none where it allows none, as on an address without encryption. */
class Kept {
  /** Whether the server is gone, so that pictures are taken from here at once. */
  isAlone = false;
  /** Whether what is shown may be kept. */
  isAllowed = true;
  #cache = globalThis.caches?.open("recto").catch(() => undefined);
  #waiting = new Map();
  #isWriting = false;
  #added = 0;

  /** The bytes at an address: those of the server, or those that are kept if it is gone. */
  async load(address, options = {}) {
    const known = this.isAlone ? await this.#match(address) : undefined;
    if (known) return known.blob();
    const response = await this.#fetch(address, options);
    if (!response.ok) throw new Error(response.statusText);
    const blob = await response.blob();
    if (response.headers.get("Cache-Control")?.includes("immutable")) this.#add(address, blob);
    return blob;
  }

  async #fetch(address, options) {
    let response, failure;
    try {
      response = await fetch(address, options);
    } catch (error) {
      failure = error;
    }
    const known = isGone(response) && !options.signal?.aborted ? await this.#match(address) : undefined;
    if (!response && !known) throw failure;
    return known ?? response;
  }

  async #match(address) {
    return (await this.#cache)?.match(address);
  }

  /** Keeps a value under a name. */
  put(name, value) {
    this.#add(address(`kept/${name}`), new Blob([JSON.stringify(value)]));
  }

  /** The value with a name; undefined if there is none. */
  async get(name) {
    const found = this.#waiting.get(address(`kept/${name}`)) ?? (await this.#match(address(`kept/${name}`)));
    return found ? JSON.parse(await found.text()) : undefined;
  }

  /** The addresses of entries that begin with an address. */
  async addresses(start) {
    const entries = (await (await this.#cache)?.keys()) ?? [];
    return entries.map(({ url }) => url).filter((url) => url.startsWith(start));
  }

  /** Keeps the page with its files, and has the service worker answer for the server when that is gone. */
  async keepViewer() {
    const cache = await this.#cache;
    if (!cache || !navigator.serviceWorker) return;
    try {
      await navigator.serviceWorker.register(address("service.js"));
      // From now on the service worker keeps what passes by.
      if (await cache.match(address(`viewer/${listFiles[0]}`))) return;
      const files = performance.getEntriesByType("resource").map(({ name }) => name);
      const own = files.filter((name) => name.startsWith(address("viewer/")));
      const page = location.href.split(/[?#]/)[0];
      await cache.addAll(new Set([page, ...own, ...listFiles.map((name) => address(`viewer/${name}`))]));
    } catch {
      // The browser allows no service worker here: only pictures are kept.
    }
  }

  #add(address, blob) {
    if (!this.#cache || !this.isAllowed || this.isAlone) return;
    this.#waiting.set(address, blob);
    if (this.#isWriting) return;
    this.#isWriting = true;
    idle(() => this.#write());
  }

  /** Writes what waits while the browser has nothing else to do. */
  async #write() {
    const entries = [...this.#waiting].slice(0, atOnce);
    try {
      const cache = await this.#cache;
      for (const [address, blob] of entries) {
        await cache?.put(address, new Response(blob));
        this.#added += 1;
      }
      if (this.#added >= interval) await this.#trim(cache);
    } catch {
      // It is full, or was deleted: what is there stays.
      this.#added = interval;
    }
    for (const [address, blob] of entries) {
      if (this.#waiting.get(address) === blob) this.#waiting.delete(address);
    }
    this.#isWriting = this.#waiting.size > 0;
    if (this.#isWriting) idle(() => this.#write());
  }

  async #trim(cache) {
    this.#added = 0;
    const { usage, quota } = await navigator.storage.estimate();
    if (usage <= Math.min(most, share * quota)) return;
    const entries = await cache.keys();
    await Promise.all(entries.slice(0, Math.ceil(surplus * entries.length)).map((entry) => cache.delete(entry)));
  }
}

export const kept = new Kept();
