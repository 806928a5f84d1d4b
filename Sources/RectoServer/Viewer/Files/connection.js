// The conversation with the server: requests go out as HTTP requests, replies and events come as
// server-sent events. docs/HTTP.md describes it. While the server is gone, it is with what was kept of the document.

import { address } from "./addresses.js";
import { thumbnail } from "./coarse.js";
import { isGone, kept } from "./kept.js";
import { DocumentRecord, KeptConversation, rastersAt } from "./keptdocument.js";
import { string } from "./strings.js";

const shortestWait = 500;
const longestWait = 10_000;
/** Milliseconds from a change of what is known of the document until it is kept. */
const keepDelay = 1000;
/** Requests whose replies are kept. */
const keptReplies = ["text", "links", "outline"];
/** Members of replies and events that are addresses. */
const addressMembers = ["url", "thumbnails", "pictures"];

/** An error that the server has replied with. */
export class RequestError extends Error {
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/** A conversation that begins anew, under another name, when the connection breaks. */
export class Connection extends EventTarget {
  #session = null;
  #events = null;
  #waiting = new Map();
  #lastRequest = 0;
  #wait = shortestWait;
  #queue = [];
  #isSending = false;
  /** Whether the server has said hello. */
  #isOpen = false;
  #id;
  #record = new DocumentRecord();
  /** A promise that the record has what was kept before. */
  #restored;
  #keepTimer = 0;
  /** The conversation with what was kept; null while the server is there. */
  #local = null;

  /** A conversation about the document with a name, which has not begun. */
  constructor(id) {
    super();
    this.#id = id;
    this.#restored = kept.get(`${id}/document`).then((value) => this.#record.restore(value));
  }

  /** Whether the server is gone, and what was kept of the document is shown. */
  get isLocal() {
    return this.#local !== null;
  }

  /** Connects; dispatches `connected` each time a conversation has begun, and `broken` when one has ended. */
  connect() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    this.#session = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const events = new EventSource(address(`api/sessions/${this.#session}/events`));
    this.#events = events;
    events.onmessage = (message) => this.#receive(JSON.parse(message.data));
    events.onerror = () => {
      // An event source would connect again by itself, under the same name.
      events.close();
      if (this.#events === events) this.#break();
    };
  }

  /** Ends the conversation. */
  close() {
    this.#events?.close();
    this.#events = null;
  }

  #break() {
    this.#events = null;
    this.#isOpen = false;
    this.#queue = [];
    for (const { reject } of this.#waiting.values()) {
      reject(new RequestError({ code: "broken", message: "the connection has broken" }));
    }
    this.#waiting.clear();
    if (!this.isLocal) {
      this.dispatchEvent(new CustomEvent("broken", { detail: this.#wait }));
      this.#beginLocal();
    }
    setTimeout(() => this.connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, longestWait);
  }

  /** Goes on with what was kept, if the server is gone: one that refuses is not. */
  async #beginLocal() {
    await this.#restored;
    const { info, value } = this.#record;
    if (!info || !kept.isAllowed || !isGone(await head(thumbnail(info.thumbnails, 128, 1)))) return;
    const tiles = await kept.addresses(info.thumbnails.replace("/thumbnails/", "/tiles/").split("{size}")[0]);
    const conversation = new KeptConversation(value, rastersAt(tiles));
    if (!(await conversation.prepare()) || this.#isOpen) return;
    this.#local = conversation;
    kept.isAlone = true;
    this.dispatchEvent(new CustomEvent("connected"));
  }

  /** The reply of what was kept to a request. Tiles follow it. */
  async #replyLocally(op, members) {
    const reply = this.#local.reply(op, members) ?? (await kept.get(nameOf(this.#id, op, members)));
    if (!reply) throw new RequestError({ code: "offline", message: string("offline") });
    if (reply.spreads) {
      const tiles = this.#local.tiles(reply);
      setTimeout(() => this.#local && tiles.forEach((tile) => this.#receive(tile)));
    }
    return reply;
  }

  /** Keeps what a line says of the document. */
  #keep(line, request) {
    if (keptReplies.includes(request?.op)) kept.put(nameOf(this.#id, request.op, request.members), line);
    if (!this.#record.take(line)) return;
    clearTimeout(this.#keepTimer);
    this.#keepTimer = setTimeout(() => kept.put(`${this.#id}/document`, this.#record.value), keepDelay);
  }

  #receive(line) {
    for (const name of addressMembers) if (line[name]?.startsWith?.("/")) line[name] = address(line[name]);
    if (line.event === "hello") {
      this.#wait = shortestWait;
      this.#isOpen = true;
      this.#local = null;
      kept.isAlone = false;
      this.dispatchEvent(new CustomEvent("connected"));
    } else if (line.reply) {
      const request = this.#waiting.get(line.id);
      this.#waiting.delete(line.id);
      if (line.error) return request?.reject(new RequestError(line.error));
      this.#keep(line, request);
      request?.resolve(line);
    } else {
      if (!this.#local) this.#keep(line);
      this.dispatchEvent(new CustomEvent(line.event, { detail: line }));
    }
  }

  /** Sends a request. Returns its id and a promise of the reply. */
  send(op, members = {}) {
    const id = ++this.#lastRequest;
    if (op === "open") kept.isAllowed = members.password === undefined;
    if (this.#local) return { id, reply: this.#replyLocally(op, members) };
    const reply = new Promise((resolve, reject) => {
      if (!this.#events) {
        reject(new RequestError({ code: "broken", message: "there is no connection" }));
        return;
      }
      this.#waiting.set(id, { resolve, reject, op, members });
      this.#queue.push(JSON.stringify({ op, id, ...members }));
      this.#flush();
    });
    return { id, reply };
  }

  /** Sends a request and returns a promise of the reply. */
  ask(op, members) {
    return this.send(op, members).reply;
  }

  /** Cancels a request. */
  cancel(id) {
    if (!this.#events || this.#local) return;
    this.#queue.push(JSON.stringify({ op: "cancel", id }));
    this.#flush();
  }

  /** Posts what waits, one post at a time, so that requests arrive in order. */
  async #flush() {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#queue.length > 0 && this.#events) {
      const [session, lines] = [this.#session, this.#queue.splice(0)];
      try {
        const response = await fetch(address(`api/sessions/${session}/requests`), {
          method: "POST",
          headers: { "Content-Type": "application/x-ndjson" },
          body: lines.join("\n"),
        });
        // Requests that are refused, also because too many wait, have no reply.
        if (!response.ok) throw new Error(response.statusText);
      } catch {
        if (this.#session === session && this.#events) {
          this.#events.close();
          this.#break();
        }
      }
    }
    this.#isSending = false;
  }
}

/** The name under which the reply to a request is kept. */
function nameOf(id, op, { page = "" } = {}) {
  return `${id}/${op}${page}`;
}

/** What a server answers at an address; null if there is none. */
function head(address) {
  return fetch(address, { method: "HEAD", cache: "no-store" }).catch(() => null);
}
