// The conversation with the server: requests go out as HTTP requests, replies and events come as
// server-sent events. docs/HTTP.md describes it.

const shortestWait = 500;
const longestWait = 10_000;

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

  /** Connects; dispatches `connected` each time a conversation has begun, and `broken` when one has ended. */
  connect() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    this.#session = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const events = new EventSource(`/api/sessions/${this.#session}/events`);
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
    this.#queue = [];
    for (const { reject } of this.#waiting.values()) {
      reject(new RequestError({ code: "broken", message: "the connection has broken" }));
    }
    this.#waiting.clear();
    this.dispatchEvent(new CustomEvent("broken", { detail: this.#wait }));
    setTimeout(() => this.connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, longestWait);
  }

  #receive(line) {
    if (line.event === "hello") {
      this.#wait = shortestWait;
      this.dispatchEvent(new CustomEvent("connected"));
    } else if (line.reply) {
      const request = this.#waiting.get(line.id);
      this.#waiting.delete(line.id);
      if (line.error) request?.reject(new RequestError(line.error));
      else request?.resolve(line);
    } else {
      this.dispatchEvent(new CustomEvent(line.event, { detail: line }));
    }
  }

  /** Sends a request. Returns its id and a promise of the reply. */
  send(op, members = {}) {
    const id = ++this.#lastRequest;
    const reply = new Promise((resolve, reject) => {
      if (!this.#events) {
        reject(new RequestError({ code: "broken", message: "there is no connection" }));
        return;
      }
      this.#waiting.set(id, { resolve, reject });
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
    if (!this.#events) return;
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
        const response = await fetch(`/api/sessions/${session}/requests`, {
          method: "POST",
          headers: { "Content-Type": "application/x-ndjson" },
          body: lines.join("\n"),
        });
        if (!response.ok && response.status !== 429) throw new Error(response.statusText);
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
