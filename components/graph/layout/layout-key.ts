import type { GraphNode, PlanLevel } from "../plan-level.ts";

/** A key of everything that a layout depends on: calls, sizes, ports and links, without statuses. */
export function layoutKey(level: PlanLevel): string {
  return digest(describe(level));
}

function describe({ recorded, nodes, links }: PlanLevel): string {
  return [recorded, ...nodes.map((node) => describeNode(node, recorded)), JSON.stringify(links)].join("\n");
}

/** Nodes never change, and most of an edited plan's are those of the plan before. */
const described = new WeakMap<GraphNode, string>();

function describeNode(node: GraphNode, recorded: boolean): string {
  const before = described.get(node);
  if (before !== undefined) return before;
  const { id, wave, iteration, box, open, frame, brought } = node;
  const text = JSON.stringify([
    id,
    recorded ? [iteration, wave] : wave,
    box.width,
    box.height,
    box.pills.map(({ y, width }) => [y, width]),
    box.outputs.map(({ y }) => y),
    brought.map(({ from }) => from),
    open && frame ? describe(frame) : null,
  ]);
  described.set(node, text);
  return text;
}

/** A 53-bit hash (cyrb53): enough to tell layouts apart, and cheap to compare on every step. */
function digest(text: string): string {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return (4294967296 * (2097151 & high) + (low >>> 0)).toString(36);
}
