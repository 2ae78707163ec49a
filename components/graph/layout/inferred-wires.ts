import type { GraphNode } from "../plan-level.ts";
import { CARD } from "./geometry.ts";
import type { PlacedInference, PlacedNode } from "./layout.ts";
import { route } from "./wave-grid.ts";

/** An inferred edge between nodes of one level, without a route. */
export interface InferredWire {
  from: GraphNode;
  to: GraphNode;
  /** The index of the reader's mark. */
  mark: number;
}

/** The inferred edges of a level, from the source's card to the reader's mark. */
export function inferredWires(nodes: readonly GraphNode[]): InferredWire[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return nodes.flatMap((to) =>
    to.brought.flatMap(({ from }, mark) => {
      const source = from === null ? undefined : byId.get(from);
      return source ? [{ from: source, to, mark }] : [];
    }),
  );
}

/** Where an inferred edge leaves a card, from the top of its box: beside its name, above the output ports. */
export function leavesAt({ box }: Pick<GraphNode, "box">): number {
  return box.top + CARD.padding + CARD.title / 2;
}

/** Simple routes between positioned calls. */
export function routeInferred(placed: readonly PlacedNode[], wires: readonly InferredWire[]): PlacedInference[] {
  const byId = new Map(placed.map((one) => [one.node.id, one]));
  return wires.flatMap(({ from, to, mark }, index) => {
    const start = byId.get(from.id);
    const end = byId.get(to.id);
    if (!start || !end) return [];
    const points = route(
      { x: start.x + start.box.width, y: start.y + leavesAt(start.node) },
      { x: end.x, y: end.y + (end.box.marks[mark]?.y ?? 0) },
      (index % 8) * 6,
    );
    return [{ from, to, mark, points }];
  });
}
