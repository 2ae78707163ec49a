import type { Link, TargetPlace } from "@/lib/plan/links.ts";
import type { Point } from "../edge/trace.ts";
import { type GraphNode, type PlanLevel, shownNodes } from "../plan-level.ts";
import type { Box } from "./geometry.ts";

/** A positioned call. */
export interface PlacedNode {
  node: GraphNode;
  box: Box;
  x: number;
  y: number;
  /** The number of frames around it. */
  depth: number;
  /** Its number among recorded calls, from 1; null in a proposed plan. */
  order: number | null;
}

/** A routed edge from an output port to an input. */
export interface PlacedEdge {
  from: GraphNode;
  to: GraphNode;
  /** The indexes of the writer's target and the reader's input. */
  write: TargetPlace;
  output: number;
  pill: number;
  points: Point[];
  /** Where its route leaves that of other edges of the same output. */
  junctions: Point[];
}

/** A routed inferred edge, from a card to a mark of another card (E15). */
export interface PlacedInference {
  from: GraphNode;
  to: GraphNode;
  mark: number;
  points: Point[];
}

/** A heading of a wave or an iteration, with its width. */
export interface Caption {
  kind: "wave" | "iteration";
  number: number;
  x: number;
  y: number;
  width: number;
}

/** A layout; its top left corner is 0, 0. */
export interface Layout {
  width: number;
  height: number;
  nodes: PlacedNode[];
  edges: PlacedEdge[];
  inferred: PlacedInference[];
  captions: Caption[];
  /** The line from each recorded call to the next. */
  connectors: Point[][];
  /** Recorded calls, in rows like text. */
  asText: boolean;
  /** Too large or too slow for routed edges: the waves are plain columns. */
  simplified: boolean;
}

/** Moves a layout, and nests it `deeper`. */
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
    nodes: layout.nodes.map((placed) => {
      const node = nodeOf(placed.node);
      return node === placed.node ? placed : { ...placed, node };
    }),
    edges: layout.edges.map((edge) => {
      const [from, to] = [nodeOf(edge.from), nodeOf(edge.to)];
      return from === edge.from && to === edge.to ? edge : { ...edge, from, to };
    }),
    inferred: layout.inferred.map((edge) => ({ ...edge, from: nodeOf(edge.from), to: nodeOf(edge.to) })),
  };
}

/** The same layout with the parts of another one that are as they were, so that they are not rendered again. */
export function withSameParts(layout: Layout, other: Layout): Layout {
  const nodes = new Map(other.nodes.map((placed) => [placed.node, placed]));
  const edges = new Map(other.edges.map((edge) => [keyOfEdge(edge), edge]));
  return {
    ...layout,
    nodes: layout.nodes.map((placed) => {
      const before = nodes.get(placed.node);
      return before && isSamePlace(before, placed) ? before : placed;
    }),
    edges: layout.edges.map((edge) => {
      const before = edges.get(keyOfEdge(edge));
      return before?.from === edge.from && before.to === edge.to && isSameRoute(before, edge) ? before : edge;
    }),
  };
}

function isSamePlace(one: PlacedNode, other: PlacedNode): boolean {
  const isSameBox = one.box.width === other.box.width && one.box.height === other.box.height;
  return isSameBox && one.x === other.x && one.y === other.y && one.depth === other.depth && one.order === other.order;
}

function isSameRoute(one: PlacedEdge, other: PlacedEdge): boolean {
  const isSame = (points: readonly Point[], others: readonly Point[]) =>
    points.length === others.length && points.every(({ x, y }, at) => x === others[at]?.x && y === others[at].y);
  return isSame(one.points, other.points) && isSame(one.junctions, other.junctions);
}

function keyOfEdge({ from, output, to, pill }: PlacedEdge): string {
  return `${from.id} ${output} ${to.id} ${pill}`;
}

/** A link as an edge without a route. */
export interface Wire {
  link: Link;
  output: number;
  pill: number;
}

/** The edges of a level; links between the same output and input are one. */
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
