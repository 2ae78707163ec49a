import { type Node, Position } from "@xyflow/react";
import type { Reference } from "@/lib/plan/reference.ts";
import { type Highlight, highlightOf } from "../edge/highlight.ts";
import { type Box, CARD } from "../layout/geometry.ts";
import type { Layout, PlacedEdge, PlacedNode } from "../layout/layout.ts";

export type CallFlowNode = Node<
  {
    placed: PlacedNode;
    /** The edges that end at it. */
    feeds: readonly PlacedEdge[];
    lit: Highlight | null;
    selected: boolean;
    /** It is one of several selected calls. */
    marked: boolean;
    found: boolean;
    tabStop: boolean;
  },
  "call" | "frame" | "chain"
>;

/** The selection and highlights that affect nodes. */
export interface Looks {
  path: Reference | null;
  /** Ids of nodes. */
  selected: string | null;
  found: ReadonlySet<string>;
  /** Ids of calls that are selected together. */
  marked: ReadonlySet<string>;
}

const FRAME_LAYER = -20;

/** A source handle on a card's right side; half of it is outside of the card. */
export const GRIP = 12;

/** The layout's nodes for React Flow, without selection; their sizes are given, not measured. */
export function flowNodes(layout: Layout): CallFlowNode[] {
  return layout.nodes.map(flowNodeMaker(layout));
}

/**
 * Creates nodes on demand and keeps their identity, so that nodes of a large plan outside the viewport are never
 * created. `drawing`: edges can be drawn from their right sides to their cards. `idOf`: React Flow's id of a node.
 * `made`: nodes of an earlier layout of the same kind, of which those that have not changed are taken over.
 */
export function flowNodeMaker(
  layout: Layout,
  drawing = false,
  idOf: (id: string) => string = (id) => id,
  made = new WeakMap<PlacedNode, CallFlowNode>(),
): (placed: PlacedNode) => CallFlowNode {
  const feedsOf = Map.groupBy(layout.edges, ({ to }) => to.id);
  return (placed) => {
    const feeds = feedsOf.get(placed.node.id) ?? [];
    const known = made.get(placed);
    if (known && isSameList(known.data.feeds, feeds)) return known;
    const node = { ...flowNode(placed, feeds), id: idOf(placed.node.id) };
    const own = drawing ? { ...node, handles: handlesOf(placed) } : node;
    made.set(placed, own);
    return own;
  };
}

function isSameList(one: readonly PlacedEdge[], other: readonly PlacedEdge[]): boolean {
  return one.length === other.length && one.every((edge, index) => edge === other[index]);
}

/** Adds selection and highlights; unaffected nodes keep their identity. */
export function highlightNodes(nodes: CallFlowNode[], { path, selected, found, marked }: Looks): CallFlowNode[] {
  const tabStop = nodes.some((node) => idOf(node) === selected) ? selected : nodes[0] && idOf(nodes[0]);
  return nodes.map((node) => {
    const id = idOf(node);
    const lit = highlightOf(node.data.placed, path);
    const isMarked = marked.has(node.data.placed.node.call.id);
    const looks = { lit, selected: id === selected, marked: isMarked, found: found.has(id), tabStop: id === tabStop };
    if (!lit && !looks.selected && !isMarked && !looks.found && !looks.tabStop) return node;
    return { ...node, data: { ...node.data, ...looks } };
  });
}

function idOf({ data }: CallFlowNode): string {
  return data.placed.node.id;
}

/**
 * Creates a function that gives a plan's nodes React Flow ids which the next plan's nodes have again: replacing all
 * nodes takes longer than changing them. Within a plan a node keeps its id.
 */
export function idReuser(): (identity: string, nodes: readonly PlacedNode[]) => (id: string) => string {
  let plan = "";
  let ids = new Map<string, string>();
  return (identity, nodes) => {
    if (identity !== plan) ids = new Map();
    plan = identity;
    for (const { node } of nodes) if (!ids.has(node.id)) ids.set(node.id, `node-${ids.size}`);
    const known = ids;
    return (id) => known.get(id) ?? id;
  };
}

/**
 * Creates a function that adds nodes which are gone, hidden: React Flow throws and catches an exception, of half a
 * millisecond, for each node that is removed.
 */
export function goneHider(): (nodes: readonly CallFlowNode[]) => CallFlowNode[] {
  let known: CallFlowNode[] = [];
  return (nodes) => {
    const ids = new Set(nodes.map(({ id }) => id));
    const gone = known.filter(({ id }) => !ids.has(id)).map((node) => (node.hidden ? node : { ...node, hidden: true }));
    known = [...nodes, ...gone];
    return known;
  };
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
    // Without them, React Flow first mounts every node to measure its handles.
    handles: [],
    // A frame is below its calls and their edges, and above its own frame.
    zIndex: node.open ? FRAME_LAYER + depth : 2,
    data: { placed, feeds, lit: null, selected: false, marked: false, found: false, tabStop: false },
  };
}

function handlesOf({ box }: PlacedNode): NonNullable<CallFlowNode["handles"]> {
  const width = Math.round(box.width);
  const height = Math.round(box.height) - box.top;
  return [
    ...gripsOf(box).map(({ id, top }) => ({
      ...(id === null ? {} : { id }),
      type: "source" as const,
      position: Position.Right,
      x: width - GRIP / 2,
      y: top,
      width: GRIP,
      height: GRIP,
    })),
    { type: "target", position: Position.Left, x: 0, y: box.top, width, height },
  ];
}

/** The source handles of a call: at each of its output ports, or at its title if it has none; `id` is the output. */
export function gripsOf(box: Box): { id: string | null; top: number }[] {
  const height = box.height - box.top;
  if (box.outputs.length === 0)
    return [{ id: null, top: box.top + Math.min(CARD.padding + CARD.title / 2, height / 2) - GRIP / 2 }];
  return box.outputs.map(({ y }, index) => ({ id: `${index}`, top: y - GRIP / 2 }));
}
