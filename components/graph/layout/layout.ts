import type { Link, TargetPlace } from "@/lib/plan/links.ts";
import type { Point } from "../edge/trace.ts";
import { type GraphNode, type PlanLevel, shownNodes } from "../plan-level.ts";
import type { Box } from "./geometry.ts";

/** A call in its place. */
export interface PlacedNode {
  node: GraphNode;
  box: Box;
  x: number;
  y: number;
  /** How many frames it stands in. */
  depth: number;
  /** Its number in the order of a recorded plan, from 1; null in a proposed plan. */
  order: number | null;
}

/** An edge in its place: from a port to a pill. */
export interface PlacedEdge {
  from: GraphNode;
  to: GraphNode;
  /** Which of the writer's targets, and which of the reader's pills. */
  write: TargetPlace;
  output: number;
  pill: number;
  points: Point[];
  /** Where it parts from others of its net. */
  junctions: Point[];
}

/** An edge that nobody declared, in its place: from a card to one of the marks of another (E15). */
export interface PlacedInference {
  from: GraphNode;
  to: GraphNode;
  mark: number;
  points: Point[];
}

/** Words over the graph: a wave's heading, or where an iteration begins, with the width it covers. */
export interface Caption {
  kind: "wave" | "iteration";
  number: number;
  x: number;
  y: number;
  width: number;
}

/** Where everything of a plan stands; the top left corner of all is 0, 0. */
export interface Layout {
  width: number;
  height: number;
  nodes: PlacedNode[];
  edges: PlacedEdge[];
  inferred: PlacedInference[];
  captions: Caption[];
  /** The quiet line from each recorded call to the next. */
  connectors: Point[][];
  /** Calls that just happened, in rows like text. */
  asText: boolean;
  /** Too large or too slow for routed edges: the waves stand in plain columns. */
  simplified: boolean;
}

/** Moves a layout, `deeper` by so many frames. */
export function moveLayout(layout: Layout, dx: number, dy: number, deeper: number): Layout {
  const move = ({ x, y }: Point): Point => ({ x: x + dx, y: y + dy });
  return {
    ...layout,
    nodes: layout.nodes.map((node) => ({ ...node, ...move(node), depth: node.depth + deeper })),
    edges: layout.edges.map((edge) => ({
      ...edge,
      points: edge.points.map(move),
      junctions: edge.junctions.map(move),
    })),
    inferred: layout.inferred.map((edge) => ({ ...edge, points: edge.points.map(move) })),
    connectors: layout.connectors.map((points) => points.map(move)),
    captions: layout.captions.map((caption) => ({ ...caption, ...move(caption) })),
  };
}

/** A layout with the nodes of another level of the same structure. */
export function rebind(layout: Layout, level: PlanLevel): Layout {
  const nodes = new Map(shownNodes(level).map((node) => [node.id, node]));
  const nodeOf = (node: GraphNode) => nodes.get(node.id) ?? node;
  return {
    ...layout,
    nodes: layout.nodes.map((placed) => ({ ...placed, node: nodeOf(placed.node) })),
    edges: layout.edges.map((edge) => ({ ...edge, from: nodeOf(edge.from), to: nodeOf(edge.to) })),
    inferred: layout.inferred.map((edge) => ({ ...edge, from: nodeOf(edge.from), to: nodeOf(edge.to) })),
  };
}

/** A link as an edge that has no way yet. */
export interface Wire {
  link: Link;
  output: number;
  pill: number;
}

/** The edges of a level: links that join the same port and pill are one. */
export function wiresOf(nodes: readonly { call: { id: string }; box: Box }[], links: readonly Link[]): Wire[] {
  const boxes = new Map(nodes.map(({ call, box }) => [call.id, box]));
  const wires = new Map<string, Wire>();
  for (const link of links) {
    const { read, alternative, member } = link.read;
    const pill = boxes.get(link.to)?.pillOf.get(`${read}.${alternative}.${member}`);
    const output = boxes
      .get(link.from)
      ?.outputs.findIndex(
        ({ alternative, target }) => alternative === link.write.alternative && target === link.write.target,
      );
    if (pill === undefined || output === undefined || output < 0) continue;
    const id = [link.from, output, link.to, pill].join("\u0000");
    if (!wires.has(id)) wires.set(id, { link, output, pill });
  }
  return [...wires.values()];
}
