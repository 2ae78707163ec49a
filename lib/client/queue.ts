/** A buffered event. It is serialized at once, so that later changes of the agent's objects do not affect it. */
export interface Entry {
  id: string;
  conversation_id: string;
  type: string;
  json: string;
  /** The size of the JSON in UTF-8. */
  bytes: number;
}

/** A FIFO of events. */
export class EventQueue {
  #entries: (Entry | undefined)[] = [];
  /** Those before it are removed; the array is compacted now and then. */
  #head = 0;
  #bytes = 0;

  get length(): number {
    return this.#entries.length - this.#head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
  }

  /** The first `count` at most, with at most `bytes` of JSON; at least one. */
  first(count: number, bytes: number): Entry[] {
    const first: Entry[] = [];
    let size = 0;
    for (let index = this.#head; index < this.#entries.length && first.length < count; index++) {
      const entry = this.#entries[index];
      if (!entry) break;
      size += entry.bytes + 1;
      if (first.length > 0 && size > bytes) break;
      first.push(entry);
    }
    return first;
  }

  /** Removes the first `count`, except those whose index is in `keep`. */
  settle(count: number, keep: (index: number) => boolean): void {
    const kept: Entry[] = [];
    for (let index = 0; index < count; index++) {
      const entry = this.#entries[this.#head + index];
      if (!entry) continue;
      if (keep(index)) kept.push(entry);
      else this.#bytes -= entry.bytes;
      this.#entries[this.#head + index] = undefined;
    }
    this.#head += count - kept.length;
    for (const [index, entry] of kept.entries()) this.#entries[this.#head + index] = entry;
    if (this.#head < COMPACT_FROM || this.#head < this.#entries.length / 2) return;
    this.#entries = this.#entries.slice(this.#head);
    this.#head = 0;
  }
}

/** Below this, compacting is not worth the copy. */
const COMPACT_FROM = 1_000;
