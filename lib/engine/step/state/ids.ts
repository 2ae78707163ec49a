/** Random bits of an input: the only source of randomness of a step. */
export type Seed = readonly [number, number, number, number];

/** Values of the counter in a UUIDv7, between its time and its random part. */
const COUNTS = 0x1000;
/** The bits of a UUIDv7's version and variant. */
const VERSION = 0x7000;
const VARIANT = 0x8000;

/**
 * The ids of one input's events: UUIDv7s of its time, in order, drawn from its seed (sfc32). The same input gives the same
 * ids. No later id can be derived from one of them, because each input has a seed of its own.
 */
export class Ids {
  readonly #time: string;
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  #count = 0;

  constructor(at: number, [a, b, c, d]: Seed) {
    const time = Math.floor(at).toString(16).padStart(12, "0");
    this.#time = `${time.slice(0, 8)}-${time.slice(8)}-`;
    this.#a = a | 0;
    this.#b = b | 0;
    this.#c = c | 0;
    this.#d = d | 0;
    for (let round = 0; round < 4; round++) this.#draw();
  }

  next(): string {
    const count = this.#count++ % COUNTS;
    const high = this.#draw();
    const low = this.#draw();
    const random = `${hex(high >>> 16)}${hex(low >>> 16)}${hex(low)}`;
    return `${this.#time}${hex(VERSION | count)}-${hex(VARIANT | (high & 0x3fff))}-${random}`;
  }

  #draw(): number {
    const sum = (this.#a + this.#b + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }
}

const BYTES = Array.from({ length: 0x100 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Four hexadecimal digits. */
function hex(value: number): string {
  return `${BYTES[(value >>> 8) & 0xff]}${BYTES[value & 0xff]}`;
}
