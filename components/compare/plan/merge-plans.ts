import { boxOf, placeKey } from "@/components/graph/layout/geometry.ts";
import { layoutKey } from "@/components/graph/layout/layout-key.ts";
import type { DrawnPlan } from "@/components/graph/level-reader.ts";
import type { IterationMark, IterationMarks } from "@/components/graph/node/iteration-marks.ts";
import { type GraphNode, type PlanLevel, readLevel } from "@/components/graph/plan-level.ts";
import { findWaves } from "@/lib/plan/graph.ts";
import type { Link } from "@/lib/plan/links.ts";
import { printExpression } from "@/lib/plan/reference.ts";
import type { EdgeChange, PlannedPair, PlanPair } from "@/lib/session/compare/plans.ts";
import { emptySession } from "@/lib/session/reducer/reducer.ts";
import type { Plan } from "@/lib/session/session.ts";

/** How an edge differs: only on one side, or of another kind. */
export type EdgeMark = "added" | "removed" | "changed";

/** An edge of the first plan without a port, because its writer now writes another path; by call id. */
interface LostEdge {
  from: string;
  to: string;
  path: string;
}

/** Two plans merged for the graph. */
export interface MergedPlan {
  drawn: DrawnPlan;
  marks: IterationMarks;
  /** By `edgeName`. */
  edges: ReadonlyMap<string, EdgeMark>;
  lost: readonly LostEdge[];
  /** Reads of common calls that only the first plan has, struck through; by call and path. */
  unread: readonly { call: string; path: string }[];
}

type Nodes = ReadonlyMap<string, GraphNode>;

/**
 * Merges a pair of plans into one graph (C10): the second plan, with the calls, reads and edges that only the first
 * has. A call in both is one node.
 */
export function mergePlans(pair: PlanPair): MergedPlan {
  const [ofA, ofB] = [levelOf(pair.a), levelOf(pair.b)];
  const [inA, inB] = [nodesByCall(ofA), nodesByCall(ofB)];
  const placed = pair.calls.flatMap(({ id }): GraphNode[] => {
    const [own, other] = [inB.get(id), inA.get(id)];
    return own ? [sided(withReads(own, other), "b")] : other ? [sided(other, "a")] : [];
  });
  const unread = placed.flatMap(({ call, box }) => {
    const own = inB.get(call.id);
    const known = new Set(own?.box.pills.map(({ path }) => path));
    return own ? box.pills.flatMap(({ path }) => (known.has(path) ? [] : [{ call: call.id, path }])) : [];
  });
  const merged = nodesByCall({ nodes: placed });
  const { links, lost } = moveLinks(ofA.links, inA, ofB.links, merged);
  const ids = placed.map(({ call }) => call.id);
  const waveOf = new Map(findWaves(ids, links).flatMap((wave, index) => wave.map((id) => [id, index] as const)));
  const nodes = placed.map((node) => ({ ...node, wave: waveOf.get(node.call.id) ?? 0 }));
  const level: PlanLevel = { recorded: false, nodes, links, size: nodes.length, whole: null };
  return {
    drawn: { level, key: `merged ${layoutKey(level)}` },
    marks: marksOf(pair),
    edges: edgeMarks(pair.edges),
    lost,
    unread,
  };
}

/** The node id of a call. */
export function nodeId(call: string): string {
  return encodeURIComponent(call);
}

/** The name of an edge of a path. */
export function edgeName(from: string, to: string, path: string): string {
  return JSON.stringify([from, to, path]);
}

/** A run id that differs between the sides: a fork has the same ids as its source. */
export function sidedRun(side: "a" | "b", run: string | null): string {
  return `${side} ${run ?? ""}`;
}

function levelOf(plan: Plan | null): PlanLevel {
  if (!plan) return { recorded: false, nodes: [], links: [], size: 0, whole: null };
  // An empty session: delegates are compared separately, so they are not expanded here.
  return readLevel(plan, { session: emptySession(null), instance: "", toggled: new Set() });
}

function nodesByCall({ nodes }: Pick<PlanLevel, "nodes">): Nodes {
  return new Map(nodes.map((node) => [node.call.id, node]));
}

function sided(node: GraphNode, side: "a" | "b"): GraphNode {
  const id = nodeId(node.call.id);
  return { ...node, id, keys: [id, id], runId: sidedRun(side, node.runId) };
}

/** The second side's call with the reads that only the first has, so that their edges have an end. */
function withReads(own: GraphNode, other: GraphNode | undefined): GraphNode {
  const known = new Set(own.call.reads.map(({ expression }) => printExpression(expression)));
  const missing = other?.call.reads.filter(({ expression }) => !known.has(printExpression(expression))) ?? [];
  if (missing.length === 0) return own;
  const call = { ...own.call, reads: [...own.call.reads, ...missing] };
  return { ...own, call, box: boxOf(call, own.box.lines) };
}

/** The second side's links and those that only the first has, connected to the merged nodes with the same paths. */
function moveLinks(ofA: readonly Link[], inA: Nodes, ofB: readonly Link[], merged: Nodes) {
  const known = new Set(ofB.map((link) => edgeName(link.from, link.to, readPath(link, merged))));
  const links = [...ofB];
  const lost = new Map<string, LostEdge>();
  for (const link of ofA) {
    const path = readPath(link, inA);
    const name = edgeName(link.from, link.to, path);
    if (known.has(name)) continue;
    const moved = moveLink(link, inA, merged);
    if (moved) links.push(moved);
    else lost.set(name, { from: link.from, to: link.to, path });
  }
  return { links, lost: [...lost.values()] };
}

function moveLink(link: Link, inA: Nodes, merged: Nodes): Link | null {
  const [writer, reader] = [merged.get(link.from), merged.get(link.to)];
  const written = writePath(link, inA);
  const output = writer?.box.outputs.find(({ path }) => path === written);
  const pill = reader?.box.pills.findIndex(({ path }) => path === readPath(link, inA)) ?? -1;
  const place = [...(reader?.box.pillOf ?? [])]
    .find(([, index]) => index === pill)?.[0]
    .split(".")
    .map(Number);
  const [read, alternative, member] = place ?? [];
  if (!output || read === undefined || alternative === undefined || member === undefined) return null;
  const write = { alternative: output.alternative, target: output.target };
  return { from: link.from, to: link.to, write, read: { read, alternative, member } };
}

function readPath({ to, read }: Link, nodes: Nodes): string {
  const box = nodes.get(to)?.box;
  return box?.pills[box.pillOf.get(placeKey(read)) ?? -1]?.path ?? "";
}

function writePath({ from, write }: Link, nodes: Nodes): string | undefined {
  const { outputs = [] } = nodes.get(from)?.box ?? {};
  return outputs.find(({ alternative, target }) => alternative === write.alternative && target === write.target)?.path;
}

/** When one side has no plan, all calls are on the other: marking each would say nothing. */
function marksOf({ a, b, calls }: PlanPair): IterationMarks {
  if (!a || !b) return new Map();
  return new Map(
    calls.flatMap((call): [string, IterationMark][] => {
      const mark = markOf(call);
      return mark ? [[nodeId(call.id), mark]] : [];
    }),
  );
}

function markOf({ standing, changes }: PlannedPair): IterationMark | null {
  switch (standing) {
    case "same":
      return null;
    case "a":
      return { kind: "removed" };
    case "b":
      return { kind: "added" };
    case "changed":
      return { kind: "changed", fields: [...new Set(changes.map(({ path }) => String(path[0] ?? "")))] };
    default:
      return standing satisfies never;
  }
}

function edgeMarks(edges: readonly EdgeChange[]): Map<string, EdgeMark> {
  const marks = new Map<string, EdgeMark>();
  for (const { side, edge } of edges) {
    for (const path of edge.paths) {
      const name = edgeName(edge.from, edge.to, path);
      marks.set(name, marks.has(name) ? "changed" : side === "a" ? "removed" : "added");
    }
  }
  return marks;
}
