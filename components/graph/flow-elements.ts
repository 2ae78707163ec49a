import type { Node } from "@xyflow/react";
import type { Reference } from "@/lib/plan/reference.ts";
import type { Layout, PlacedEdge, PlacedNode } from "./layout.ts";
import { type Lit, litOf } from "./light.ts";

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
  "call" | "frame"
>;

/** What the reader looks at, as far as it changes how nodes are drawn. */
export interface Looks {
  path: Reference | null;
  /** Ids of nodes. */
  selected: string | null;
  found: ReadonlySet<string>;
}

const FRAME_LAYER = -20;

/** The layout's nodes as React Flow takes them, with nothing looked at; their sizes are given, not measured. */
export function flowNodes(layout: Layout): CallFlowNode[] {
  const feeds = Map.groupBy(layout.edges, ({ to }) => to.id);
  return layout.nodes.map((placed) => flowNode(placed, feeds.get(placed.node.id) ?? []));
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
    type: node.open ? "frame" : "call",
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
