/** An item on a line: its preferred middle, its weight, and its size. */
export interface Wish {
  at: number;
  weight: number;
  width: number;
}

interface Block {
  members: number;
  weight: number;
  /** The weighted sum of the members' preferred positions, relative to the block. */
  sum: number;
}

/**
 * The middles of items on a line, in order and with `gap` between them, as close as possible to their preferred
 * positions (least squares, by pooling adjacent violators).
 */
export function spread(wishes: readonly Wish[], gap: number): number[] {
  const offsets: number[] = [];
  wishes.forEach(({ width }, index) => {
    const before = wishes[index - 1];
    offsets.push(before ? (offsets[index - 1] ?? 0) + (before.width + width) / 2 + gap : 0);
  });
  const blocks: Block[] = [];
  wishes.forEach(({ at, weight }, index) => {
    blocks.push({ members: 1, weight, sum: weight * (at - (offsets[index] ?? 0)) });
    for (;;) {
      const [left, right] = blocks.slice(-2);
      if (!left || !right || left.sum / left.weight <= right.sum / right.weight) return;
      blocks.splice(-2, 2, {
        members: left.members + right.members,
        weight: left.weight + right.weight,
        sum: left.sum + right.sum,
      });
    }
  });
  const starts = blocks.flatMap(({ members, sum, weight }) => Array<number>(members).fill(sum / weight));
  return starts.map((start, index) => start + (offsets[index] ?? 0));
}
