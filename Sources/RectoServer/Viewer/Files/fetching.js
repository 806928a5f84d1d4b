// Fetches tiles, a few at a time: a browser has few connections to a server, and the small pictures and the requests
// of the conversation need some of them.

/** Whether requests share a connection. Otherwise a browser has six: one is for events, one for requests. */
const isShared = /^h[23]/.test(performance.getEntriesByType("navigation")[0]?.nextHopProtocol);
/** The most pictures that are fetched at a time: sheets and thumbnails in the list take long if they are to be drawn. */
export const atOnce = isShared ? { tiles: 4, sheets: 2, thumbnails: 4 } : { tiles: 3, sheets: 1, thumbnails: 1 };
/** Tiles that are fetched at a time while pages move. */
const moving = 2;
/** Round trips from the moment when a page comes into sight until its tiles are there. */
const roundTrips = 2;
/** Seconds of a round trip until one has been measured. */
const usualRoundTrip = 0.05;

/** The fetches of a viewer. */
export class Fetches {
  #load;
  #waiting = [];
  #running = 0;
  #limit = atOnce.tiles;
  #roundTrip = usualRoundTrip;

  /** `load` returns a promise of the bytes at an address, and takes the options of `fetch`. */
  constructor(load) {
    this.#load = load;
  }

  /** Takes the seconds that a request took until its reply. */
  took(seconds) {
    this.#roundTrip = 0.7 * this.#roundTrip + 0.3 * seconds;
  }

  /** Takes how many viewports pass by in a second. Tiles wait if their page would be gone before they are there. */
  move(speed) {
    this.#limit = speed === 0 ? atOnce.tiles : speed * roundTrips * this.#roundTrip < 1 ? moving : 0;
    this.#next();
  }

  /** The bytes at an address. */
  load(address, signal) {
    return new Promise((resolve, reject) => {
      const fetching = { address, signal, resolve, reject };
      signal.addEventListener("abort", () => this.#drop(fetching), { once: true });
      this.#waiting.push(fetching);
      this.#next();
    });
  }

  #drop(fetching) {
    const place = this.#waiting.indexOf(fetching);
    if (place < 0) return;
    this.#waiting.splice(place, 1);
    fetching.reject(fetching.signal.reason);
  }

  async #next() {
    if (this.#running >= this.#limit || this.#waiting.length === 0) return;
    const { address, signal, resolve, reject } = this.#waiting.shift();
    this.#running += 1;
    this.#next();
    try {
      resolve(await this.#load(address, { signal }));
    } catch (error) {
      reject(error);
    }
    this.#running -= 1;
    this.#next();
  }
}
