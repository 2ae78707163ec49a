import { CARD, FRAME } from "../layout/geometry.ts";
import type { PlacedNode } from "../layout/layout.ts";

export type Direction = "left" | "right" | "up" | "down";

/** The weight of sideways distance, compared with distance in the direction. */
const OFF_THE_WAY = 2;

/** The nearest node in a direction, by centers; null for none. */
export function neighbour(nodes: readonly PlacedNode[], id: string, direction: Direction): PlacedNode | null {
  const from = nodes.find(({ node }) => node.id === id);
  if (!from) return null;
  let nearest: PlacedNode | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const to of nodes) {
    const { along, across } = step(middleOf(from), middleOf(to), direction);
    const distance = along + Math.abs(across) * OFF_THE_WAY;
    if (along > 1 && distance < least) [nearest, least] = [to, distance];
  }
  return nearest;
}

function step(
  from: { x: number; y: number },
  to: { x: number; y: number },
  direction: Direction,
): { along: number; across: number } {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  switch (direction) {
    case "left":
      return { along: -dx, across: dy };
    case "right":
      return { along: dx, across: dy };
    case "up":
      return { along: -dy, across: dx };
    case "down":
      return { along: dy, across: dx };
    default:
      return direction satisfies never;
  }
}

function middleOf({ x, y, box, node }: PlacedNode): { x: number; y: number } {
  // A frame counts by the start of its head, so that its calls are below it.
  if (node.open) return { x: x + Math.min(box.width, CARD.minWidth) / 2, y: y + box.top + FRAME.head / 2 };
  return { x: x + box.width / 2, y: y + (box.top + box.height) / 2 };
}
