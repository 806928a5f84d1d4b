// The rows of an outline, of which a part is shown.

/** The entries that are in sight: those whose entries above are all open. */
export class OutlineTree {
  /** For each row its entry, its level from 1, its place among its siblings and their number. */
  rows;
  #open = new Set();

  constructor(items) {
    this.#openAll(items);
    this.rows = this.#below(items, 1);
  }

  /** Remembers which entries the document wants open. */
  #openAll(items) {
    const waiting = [items];
    while (waiting.length > 0) {
      for (const item of waiting.pop()) {
        if (!item.children?.length) continue;
        if (item.open === true) this.#open.add(item);
        waiting.push(item.children);
      }
    }
  }

  isOpen(row) {
    return this.#open.has(row.item);
  }

  /** Opens or closes an entry. Says whether that has changed anything. */
  toggle(index, isOpen = !this.isOpen(this.rows[index])) {
    const { item, level } = this.rows[index];
    if (!item.children?.length || isOpen === this.isOpen(this.rows[index])) return false;
    if (isOpen) {
      this.#open.add(item);
      const behind = this.rows.slice(index + 1);
      this.rows = this.rows.slice(0, index + 1).concat(this.#below(item.children, level + 1), behind);
    } else {
      this.#open.delete(item);
      let end = index + 1;
      while (end < this.rows.length && this.rows[end].level > level) end += 1;
      this.rows.splice(index + 1, end - index - 1);
    }
    return true;
  }

  /** The row of the entry above a row; -1 if there is none. */
  parent(index) {
    const { level } = this.rows[index];
    let above = index - 1;
    while (above >= 0 && this.rows[above].level >= level) above -= 1;
    return above;
  }

  /** The rows of entries and of all that is in sight below them. */
  #below(items, level) {
    const rows = [];
    const waiting = [{ items, level, next: 0 }];
    while (waiting.length > 0) {
      const list = waiting.at(-1);
      if (list.next === list.items.length) {
        waiting.pop();
        continue;
      }
      const item = list.items[list.next];
      list.next += 1;
      rows.push({ item, level: list.level, place: list.next, count: list.items.length });
      if (this.#open.has(item)) waiting.push({ items: item.children, level: list.level + 1, next: 0 });
    }
    return rows;
  }
}
