/** Whether a set of small numbers, kept as bits, has this one. */
export function hasBit(set: Uint32Array, bit: number): boolean {
  return ((set[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
}

/** Adds a number to a set that is kept as bits. */
export function setBit(set: Uint32Array, bit: number): void {
  set[bit >>> 5] = (set[bit >>> 5] ?? 0) | (1 << (bit & 31));
}

/** Visits the numbers of a set, ascending. */
export function forEachBit(set: Uint32Array, visit: (bit: number) => void): void {
  for (let word = 0; word < set.length; word++) {
    for (let rest = set[word] ?? 0; rest !== 0; rest &= rest - 1) visit(word * 32 + 31 - Math.clz32(rest & -rest));
  }
}

/** So many sets share a block. */
const SETS_AT_ONCE = 64;

/**
 * Makes sets of the same size, kept as bits, in blocks: a plan with 15,000 branches has 30,000 sets of 4 KB, and the C library
 * keeps the memory of small buffers (decision 32).
 */
export class BitSets {
  readonly #words: number;
  #block = new Uint32Array();
  #used = 0;

  /** Sets of numbers below `size`. */
  constructor(size: number) {
    this.#words = Math.ceil(size / 32);
  }

  empty(): Uint32Array {
    if (this.#used + this.#words > this.#block.length) {
      this.#block = new Uint32Array(SETS_AT_ONCE * this.#words);
      this.#used = 0;
    }
    const set = this.#block.subarray(this.#used, this.#used + this.#words);
    this.#used += this.#words;
    return set;
  }

  copy(set: Uint32Array): Uint32Array {
    const copied = this.empty();
    copied.set(set);
    return copied;
  }
}
