import type { ElkExtendedEdge, ElkNode, ElkPoint } from "elkjs/lib/elk-api.js";
import type { Layout, PlacedEdge, PlacedNode, Wire } from "./layout.ts";
import type { GraphNode } from "./plan-level.ts";
import type { Point } from "./trace.ts";
import { HEADING } from "./wave-grid.ts";

/** Nodes get these places before the layout, one column a wave, and ELK's layers keep to them. */
const COLUMN = 10_000;

/** Above this, placing nodes by network simplex takes longer than its straighter edges are worth. */
const SIMPLEX_LIMIT = 80;

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.padding": "[top=0,left=0,bottom=0,right=0]",
  "elk.layered.cycleBreaking.strategy": "INTERACTIVE",
  "elk.layered.layering.strategy": "INTERACTIVE",
  "elk.layered.considerModelOrder.strategy": "PREFER_NODES",
  "elk.layered.spacing.nodeNodeBetweenLayers": "44",
  "elk.layered.spacing.edgeNodeBetweenLayers": "20",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "11",
  "elk.spacing.nodeNode": "34",
  "elk.spacing.edgeNode": "22",
  "elk.spacing.edgeEdge": "11",
  "elk.spacing.componentComponent": "34",
  "elk.separateConnectedComponents": "false",
} as const;

/** A level as ELK takes it: ports at their pixels, so that what it routes is what is drawn. */
export function toElk(nodes: readonly GraphNode[], wires: readonly Wire[]): ElkNode {
  const widths = columnWidths(nodes);
  const indexOf = new Map(nodes.map(({ call }, index) => [call.id, index]));
  return {
    id: "plan",
    layoutOptions: {
      ...OPTIONS,
      "elk.layered.nodePlacement.strategy": nodes.length > SIMPLEX_LIMIT ? "BRANDES_KOEPF" : "NETWORK_SIMPLEX",
    },
    children: nodes.map((node, index) => {
      const { box, wave } = node;
      const width = widthIn(widths, node);
      return {
        id: `n${index}`,
        x: wave * COLUMN,
        y: index * 10,
        width,
        height: box.height,
        layoutOptions: { "elk.portConstraints": "FIXED_POS", "elk.alignment": "LEFT" },
        ports: [
          ...box.pills.map(({ y }, pill) => port(`n${index}p${pill}`, "WEST", 0, y)),
          ...box.outputs.map(({ y }, output) => port(`n${index}o${output}`, "EAST", width, y)),
        ],
      };
    }),
    edges: wires.map(({ link, output, pill }, index) => ({
      id: `e${index}`,
      sources: [`n${indexOf.get(link.from)}o${output}`],
      targets: [`n${indexOf.get(link.to)}p${pill}`],
    })),
  };
}

/** Reads ELK's answer for the same nodes and wires. */
export function fromElk(answer: ElkNode, nodes: readonly GraphNode[], wires: readonly Wire[]): Layout {
  const widths = columnWidths(nodes);
  const placed: PlacedNode[] = nodes.map((node, index) => {
    const { x = 0, y = 0 } = answer.children?.[index] ?? {};
    const box = { ...node.box, width: widthIn(widths, node) };
    return { node, box, x, y: y + HEADING, depth: 0, order: null };
  });
  const byCall = new Map(nodes.map((node) => [node.call.id, node]));
  const edges = wires.flatMap(({ link, output, pill }, index): PlacedEdge[] => {
    const from = byCall.get(link.from);
    const to = byCall.get(link.to);
    const routed = answer.edges?.[index];
    if (!from || !to || !routed) return [];
    return [{ from, to, write: link.write, output, pill, points: wayOf(routed), junctions: (routed.junctionPoints ?? []).map(lower) }];
  });
  return {
    width: answer.width ?? 0,
    height: (answer.height ?? 0) + HEADING,
    nodes: placed,
    edges,
    captions: headings(placed),
    connectors: [],
    simplified: false,
  };
}

function port(id: string, side: "WEST" | "EAST", x: number, y: number) {
  return { id, x, y, width: 0, height: 0, layoutOptions: { "elk.port.side": side } };
}

/** All cards of a wave are as wide as its widest; an opened delegate has a width of its own. */
function columnWidths(nodes: readonly GraphNode[]): Map<number, number> {
  const widths = new Map<number, number>();
  for (const { box, wave, open } of nodes) if (!open) widths.set(wave, Math.max(widths.get(wave) ?? 0, box.width));
  return widths;
}

function widthIn(widths: ReadonlyMap<number, number>, { box, wave, open }: GraphNode): number {
  return open ? box.width : (widths.get(wave) ?? box.width);
}

function headings(placed: readonly PlacedNode[]): Layout["captions"] {
  return [...Map.groupBy(placed, ({ node }) => node.wave)].map(([wave, members]) => {
    const x = Math.min(...members.map((member) => member.x));
    return { kind: "wave", number: wave + 1, x, y: 0, width: Math.max(...members.map(({ box }) => box.width)) };
  });
}

function wayOf({ sections = [] }: ElkExtendedEdge): Point[] {
  return sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint]).map(lower);
}

/** Leaves room for the headings. */
function lower({ x, y }: ElkPoint): Point {
  return { x, y: y + HEADING };
}
