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
