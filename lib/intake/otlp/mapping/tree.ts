import type { Node } from "./trace.ts";

/** In nanoseconds. */
export const MILLISECOND = 1_000_000n;

/** A node and all below it, from above, without a function for each level: there may be thousands. */
export function* below(root: Node, enters: (node: Node) => boolean = () => true): Generator<Node> {
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    if (enters(node)) for (const child of node.children.toReversed()) waiting.push(child);
  }
}
