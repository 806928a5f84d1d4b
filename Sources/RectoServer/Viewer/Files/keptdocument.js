// A document without its server: what was seen of its pages, and a conversation about it. Its pages are laid out one below
// the other, at the sizes that are known; tiles of any scale stand for those that were never fetched.

/** Between pages, and around them. */
const gap = 10;
/** A page of a document of which no page is known, in points. */
const usualSize = { width: 612, height: 792 };
/** Pages whose sizes are kept. */
const most = 100_000;

/** What is kept of a document as it is read: what the server replied of it, and the labels and sizes of its pages. */
export class DocumentRecord {
  #pages = new Map();
  info;

  /** Takes what was kept when the document was read before, unless it is another version. */
  restore(kept) {
    if (!kept || (this.info && this.info.thumbnails !== kept.info.thumbnails)) return;
    this.info ??= kept.info;
    for (const [number, ...page] of kept.pages) if (!this.#pages.has(number)) this.#pages.set(number, page);
  }

  /** Takes a reply or an event; returns whether there is something new in it. */
  take({ path, pages, title, rtl, tileSize, thumbnails, pictures, spreads }) {
    const isNew = thumbnails !== undefined && thumbnails !== this.info?.thumbnails;
    // The pages of another version may have other sizes.
    if (isNew && this.info) this.#pages.clear();
    if (isNew) this.info = { path, pages, title, rtl, tileSize, thumbnails, pictures };
    const before = this.#pages.size;
    for (const { number, label, size } of (spreads ?? []).flatMap((spread) => spread.pages)) {
      if (size && !this.#pages.has(number) && before < most) this.#pages.set(number, [label, size.width, size.height]);
    }
    return this.info !== undefined && (isNew || this.#pages.size > before);
  }

  get value() {
    return { info: this.info, pages: [...this.#pages].map(([number, page]) => [number, ...page]) };
  }
}

/** The rasters of pages of which there are tiles, by page, from the addresses of tiles. */
export function rastersAt(addresses) {
  const pages = new Map();
  const form = /\/(\d+)\/([\d.e+-]+)x\/(\d+)x(\d+)\/(\d+)\/(\d+)\/(\d+)_(\d+)\.png$/;
  for (const url of addresses) {
    const numbers = form.exec(url)?.slice(1).map(Number);
    if (!numbers) continue;
    const [page, scale, width, height, rotation, side, column, row] = numbers;
    const key = `${width}x${height}/${rotation}/${side}`;
    if (!pages.has(page)) pages.set(page, new Map());
    const rasters = pages.get(page);
    if (!rasters.has(key)) rasters.set(key, { scale, raster: { width, height, rotation }, tiles: [] });
    const pixels = { x: column * side, y: row * side };
    [pixels.width, pixels.height] = [Math.min(side, width - pixels.x), Math.min(side, height - pixels.y)];
    rasters.get(key).tiles.push({ column, row, pixels, url });
  }
  return pages;
}

/** A conversation about a document that is kept, as docs/SERVE.md describes it, for one arrangement of pages. */
export class KeptConversation {
  #info;
  #pages = new Map();
  #rasters;
  #size = usualSize;
  #options = { fit: "width", zoom: 1 };
  #viewport = { x: 0, y: 0, width: 0, height: 0 };
  #overscan = {};
  #scale = 1;
  #geometry = 0;
  /** The tops of pages, and the end of the last one. */
  #tops;

  constructor({ info, pages }, rasters) {
    this.#info = info;
    this.#rasters = rasters;
    const counts = new Map();
    for (const [number, label, width, height] of pages) {
      this.#pages.set(number, { label, size: { width, height } });
      counts.set(`${width} ${height}`, (counts.get(`${width} ${height}`) ?? 0) + 1);
    }
    const [common] = [...counts].sort((one, other) => other[1] - one[1]);
    if (common) [this.#size.width, this.#size.height] = common[0].split(" ").map(Number);
  }

  /** The reply to a request; null if only the server has it. */
  reply(op, members) {
    switch (op) {
      case "open": return { ...this.#info, ...this.#view(members) };
      case "layout": return { layout: { mode: "continuous", axis: "vertical", ...this.#options }, ...this.#view(members) };
      case "view": return this.#view(members);
      case "zoom": return this.#zoom(members);
      case "pages": return { pages: this.#labels(members) };
      default: return null;
    }
  }

  /** The tiles of the pages of a scene, as events. */
  tiles({ spreads }) {
    return spreads.flatMap(({ pages: [{ number, raster, tiles }] }) =>
      (tiles ?? []).map((tile) => ({ event: "tile", page: number, raster, ...tile })),
    );
  }

  // The layout

  /** Pages are turned together, as the reader wants them. */
  #sizeOf(number) {
    const { width, height } = this.#pages.get(number)?.size ?? this.#size;
    return this.#options.rotate % 180 ? { width: height, height: width } : { width, height };
  }

  /** Layout units per point. */
  #scaleOf(number) {
    const { width, height } = this.#sizeOf(number);
    const [top, right, bottom, left] = this.#insets;
    const across = Math.max(1, this.#viewport.width - left - right - 2 * gap) / width;
    const down = Math.max(1, this.#viewport.height - top - bottom - 2 * gap) / height;
    const fits = { width: across, height: down, page: Math.min(across, down), none: 1 };
    return (fits[this.#options.fit] ?? across) * this.#options.zoom;
  }

  get #insets() {
    return this.#options.insets ?? [0, 0, 0, 0];
  }

  #arrange() {
    this.#geometry += 1;
    const tops = new Float64Array(this.#info.pages + 1);
    this.#width = 0;
    let y = this.#insets[0] + gap;
    for (let number = 1; number <= this.#info.pages; number += 1) {
      const [{ width, height }, scale] = [this.#sizeOf(number), this.#scaleOf(number)];
      tops[number - 1] = y;
      this.#width = Math.max(this.#width, scale * width + 2 * gap);
      y += scale * height + gap;
    }
    tops[this.#info.pages] = y + this.#insets[2];
    this.#tops = tops;
  }
  #width = 0;

  #frame(number) {
    const [{ width, height }, scale] = [this.#sizeOf(number), this.#scaleOf(number)];
    const x = (Math.max(this.#width, this.#viewport.width) - scale * width) / 2;
    return { x, y: this.#tops[number - 1], width: scale * width, height: scale * height };
  }

  /** The page at a height of the content, or the one above a gap. */
  #pageAt(y) {
    let [low, high] = [1, this.#info.pages];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#tops[middle - 1] <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // The view

  #anchorAt(y) {
    const page = this.#pageAt(y);
    const frame = this.#frame(page);
    return { page, fraction: (y - frame.y) / frame.height };
  }

  #heightOf({ page, fraction = 0 }) {
    const frame = this.#frame(Math.min(Math.max(page, 1), this.#info.pages));
    return frame.y + fraction * frame.height;
  }

  /** Changes what the members of a request say, and keeps the place. */
  #view({ layout, viewport, scale, overscan, offset, anchor, spread, by }) {
    let place = this.#tops ? this.#anchorAt(this.#viewport.y) : { page: 1, fraction: -1 };
    for (const [name, value] of Object.entries(layout ?? {})) if (value !== undefined) this.#options[name] = value;
    if (viewport) Object.assign(this.#viewport, viewport);
    this.#scale = scale ?? this.#scale;
    this.#overscan = overscan ?? this.#overscan;
    if (layout || viewport || !this.#tops) this.#arrange();
    if (anchor) place = anchor;
    if (spread !== undefined) place = { page: spread + 1 };
    // A page that is gone to begins below the toolbar.
    const start = anchor || spread !== undefined ? this.#insets[0] : 0;
    const { x } = this.#viewport;
    const target = offset ?? { x, y: this.#heightOf(place) - start };
    return this.#show({ x: target.x + (by?.x ?? 0), y: target.y + (by?.y ?? 0) });
  }

  #zoom({ factor, zoom, about }) {
    const { x, y, width, height } = this.#viewport;
    const point = about ?? { x: width / 2, y: height / 2 };
    const [anchor, before] = [this.#anchorAt(y + point.y), this.#options.zoom];
    this.#options.zoom = zoom ?? before * factor;
    const middle = Math.max(this.#width, width) / 2;
    this.#arrange();
    const shift = (x + point.x - middle) * (this.#options.zoom / before);
    return this.#show({ x: Math.max(this.#width, width) / 2 + shift - point.x, y: this.#heightOf(anchor) - point.y });
  }

  /** The scene at an offset. */
  #show({ x, y }) {
    const content = { width: this.#width, height: this.#tops.at(-1) };
    const { width, height } = this.#viewport;
    this.#viewport.x = Math.max(0, Math.min(x, content.width - width));
    this.#viewport.y = Math.max(0, Math.min(y, content.height - height));
    const { top = 0, bottom = 0 } = this.#overscan;
    const [first, last] = [this.#pageAt(this.#viewport.y - top), this.#pageAt(this.#viewport.y + height + bottom)];
    const pages = Array.from({ length: last - first + 1 }, (_, index) => this.#page(first + index));
    const shown = pages.reduce((one, other) => (other.area > one.area ? other : one));
    return {
      geometry: this.#geometry,
      content,
      viewport: { ...this.#viewport },
      anchor: this.#anchorAt(this.#viewport.y + this.#insets[0]),
      current: shown.number,
      zoom: this.#options.zoom,
      pixelScale: this.#scale,
      tileSize: this.#info.tileSize,
      spreads: pages.map((page) => ({ index: page.index, frame: page.frame, pages: [page] })),
    };
  }

  #page(number) {
    const [frame, { y, height }] = [this.#frame(number), this.#viewport];
    const visible = Math.max(0, Math.min(frame.y + frame.height, y + height) - Math.max(frame.y, y));
    const { label = String(number), size = this.#size } = this.#pages.get(number) ?? {};
    const [scale, rotation] = [this.#scaleOf(number), this.#options.rotate ?? 0];
    const page = { index: number - 1, number, label, frame, size, rotation, scale, place: this.#place(frame) };
    return { ...page, fraction: visible / frame.height, area: visible * frame.width, ...this.#raster(page) };
  }

  /** The device pixels of a frame. */
  #place(frame) {
    const edge = (value) => Math.round(value * this.#scale);
    const [x, y] = [edge(frame.x), edge(frame.y)];
    return { x, y, width: edge(frame.x + frame.width) - x, height: edge(frame.y + frame.height) - y };
  }

  /** The raster with tiles whose scale is nearest to the wanted one. */
  #raster({ number, rotation, scale }) {
    const distance = (raster) => Math.abs(Math.log(raster.scale / (scale * this.#scale)));
    const rasters = [...(this.#rasters.get(number)?.values() ?? [])].filter(({ raster }) => raster.rotation === rotation);
    if (rasters.length === 0) return {};
    const { raster, tiles } = rasters.reduce((one, other) => (distance(other) < distance(one) ? other : one));
    return { raster, tiles };
  }

  #labels({ label, first, count = 1 }) {
    const all = [...this.#pages].map(([number, { label }]) => ({ number, label }));
    if (label !== undefined) return all.filter((page) => page.label === label).slice(0, 1);
    return all.filter(({ number }) => number >= first && number < first + count);
  }
}
