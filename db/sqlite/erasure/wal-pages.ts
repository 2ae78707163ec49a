import { closeSync, openSync, readSync } from "node:fs";

const WAL_HEADER = 32;
const FRAME_HEADER = 24;

/**
 * Lists the pages in a write-ahead log. It may grow between two calls of `read`; after a reset it is read from its
 * start.
 */
export class WalPages {
  readonly #file: string;
  #salt = Buffer.alloc(8);
  #next = WAL_HEADER;

  /** `file` is the database file. */
  constructor(file: string) {
    this.#file = `${file}-wal`;
  }

  /** Adds the numbers of the pages written since the last call; some may be repeated. */
  read(pages: Set<number>): void {
    const wal = openSync(this.#file, "r");
    try {
      const header = Buffer.alloc(WAL_HEADER);
      if (readSync(wal, header, 0, WAL_HEADER, 0) < WAL_HEADER) return;
      const salt = header.subarray(16, 24);
      if (!salt.equals(this.#salt)) {
        this.#salt = Buffer.from(salt);
        this.#next = WAL_HEADER;
      }
      this.#readFrames(wal, FRAME_HEADER + header.readUInt32BE(8), pages);
    } finally {
      closeSync(wal);
    }
  }

  #readFrames(wal: number, length: number, pages: Set<number>): void {
    const frame = Buffer.alloc(FRAME_HEADER);
    for (let at = this.#next; readSync(wal, frame, 0, FRAME_HEADER, at) === FRAME_HEADER; at += length) {
      if (!frame.subarray(8, 16).equals(this.#salt)) return;
      pages.add(frame.readUInt32BE(0));
      // Frames after the last commit may be overwritten.
      if (frame.readUInt32BE(4) > 0) this.#next = at + length;
    }
  }
}
