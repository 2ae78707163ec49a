import { type Node, Position } from "@xyflow/react";
import type { Reference } from "@/lib/plan/reference.ts";
import { type Lit, litOf } from "../edge/light.ts";
import { CARD } from "../layout/geometry.ts";
import type { Layout, PlacedEdge, PlacedNode } from "../layout/layout.ts";

export type CallFlowNode = Node<
  {
    placed: PlacedNode;
    /** The edges that end at it. */
    feeds: readonly PlacedEdge[];
    lit: Lit | null;
    selected: boolean;
    found: boolean;
    tabStop: boolean;
  },
  "call" | "frame" | "chain"
>;

/** What the reader looks at, as far as it changes how nodes are drawn. */
export interface Looks {
  path: Reference | null;
  /** Ids of nodes. */
  selected: string | null;
  found: ReadonlySet<string>;
}

const FRAME_LAYER = -20;

/** A dot on the right side, from which an edge is drawn; its half stands out of the card. */
export const GRIP = 14;

/** The layout's nodes as React Flow takes them, with nothing looked at; their sizes are given, not measured. */
export function flowNodes(layout: Layout): CallFlowNode[] {
  return layout.nodes.map(flowNodeMaker(layout));
}

/**
 * The same node by node: the same object for the same node, and none for the thousands of a large plan that nobody goes
 * to see. `drawing`: edges can be drawn from their right sides to all of their cards.
 */
export function flowNodeMaker(layout: Layout, drawing = false): (placed: PlacedNode) => CallFlowNode {
  const feeds = Map.groupBy(layout.edges, ({ to }) => to.id);
  const made = new Map<PlacedNode, CallFlowNode>();
  return (placed) => {
    const known = made.get(placed);
    if (known) return known;
    const node = flowNode(placed, feeds.get(placed.node.id) ?? []);
    const own = drawing ? { ...node, handles: handlesOf(placed) } : node;
    made.set(placed, own);
    return own;
  };
}

/** Marks what is looked at; what is not keeps its object, so that it is not drawn again. */
export function lightNodes(nodes: CallFlowNode[], { path, selected, found }: Looks): CallFlowNode[] {
  const tabStop = nodes.some(({ id }) => id === selected) ? selected : nodes[0]?.id;
  return nodes.map((node) => {
    const lit = litOf(node.data.placed, path);
    const looks = { lit, selected: node.id === selected, found: found.has(node.id), tabStop: node.id === tabStop };
    if (!lit && !looks.selected && !looks.found && !looks.tabStop) return node;
    return { ...node, data: { ...node.data, ...looks } };
  });
}

function flowNode(placed: PlacedNode, feeds: readonly PlacedEdge[]): CallFlowNode {
  const { node, box, x, y, depth } = placed;
  const width = Math.round(box.width);
  const height = Math.round(box.height);
  return {
    id: node.id,
    type: node.open ? "frame" : node.chain ? "chain" : "call",
    position: { x, y },
    width,
    height,
    measured: { width, height },
    // Without them, React Flow first draws every node, in view or not, to look for its handles.
    handles: [],
    // A frame lies under its calls and their edges, and over the frame that it is in.
    zIndex: node.open ? FRAME_LAYER + depth : 2,
    data: { placed, feeds, lit: null, selected: false, found: false, tabStop: false },
  };
}

function handlesOf({ box }: PlacedNode): NonNullable<CallFlowNode["handles"]> {
  const width = Math.round(box.width);
  const height = Math.round(box.height) - box.top;
  return [
    {
      type: "source",
      position: Position.Right,
      x: width - GRIP / 2,
      y: box.top + gripTop(height),
      width: GRIP,
      height: GRIP,
    },
    { type: "target", position: Position.Left, x: 0, y: box.top, width, height },
  ];
}

/** Where the grip of a card of this height stands: at its title, above the paths' own ports. */
export function gripTop(height: number): number {
  return Math.min(CARD.padding + CARD.title / 2, height / 2) - GRIP / 2;
}
