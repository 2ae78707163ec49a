import type { JsonObject } from "../session/json/json.ts";
import type { KnownOutput, PlanEdge } from "../session/session.ts";
import { type CallProblem, type PlanCall, readCalls } from "./call.ts";
import { findLinks, type Link } from "./links.ts";
import { overlaps } from "./overlap.ts";
import { printReference } from "./reference.ts";

/** A plan as a graph (P15): a node for each call, an edge for each pair of which one writes what the other reads. */
export interface CallGraph {
  nodes: { id: string; tool: string }[];
  edges: PlanEdge[];
  /** Calls that can run together: each wave waits for the ones before it. A cycle is opened at its first call. */
  waves: string[][];
  /** What could not be read; the graph is of the rest. A call whose id another one has is left out. */
  problems: CallProblem[];
}

/** The kinds of edges, the first that applies names the edge (P15). */
const KINDS = ["branch", "fallback", "gate", "fanout", "data"] as const satisfies PlanEdge["kind"][];

/** Finds a plan's edges: they are never stored, they follow from which calls write and read which paths (P15). */
export function buildGraph(calls: readonly JsonObject[], outputs: readonly KnownOutput[] = []): CallGraph {
  const read = readCalls(calls, outputs);
  const unique = uniqueCalls(read);
  const edges = joinLinks(unique, findLinks(unique));
  return {
    nodes: unique.map(({ id, tool }) => ({ id, tool })),
    edges,
    waves: findWaves(
      unique.map(({ id }) => id),
      edges,
    ),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** The calls of a plan without those whose id an earlier one has. */
export function uniqueCalls(calls: readonly PlanCall[]): PlanCall[] {
  return calls.filter(({ problems }) => !problems.some(({ code }) => code === "duplicate_id"));
}

/** One edge for each pair of calls, of their links in the order of the readers (P15). */
export function joinLinks(calls: readonly PlanCall[], links: readonly Link[]): PlanEdge[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const edges: PlanEdge[] = [];
  // Links come reader by reader, so that one reader's edges are all that has to be remembered.
  let reader: PlanCall | undefined;
  let ofReader = new Map<string, { paths: Set<string>; rank: number }>();
  const finish = () => {
    for (const [from, { paths, rank }] of ofReader)
      edges.push({ from, to: reader?.id ?? "", paths: [...paths], kind: KINDS[rank] ?? "data" });
    ofReader = new Map();
  };
  for (const link of links) {
    if (link.to !== reader?.id) {
      finish();
      reader = byId.get(link.to);
    }
    const reference = reader?.reads[link.read.read]?.expression[link.read.alternative]?.[link.read.member];
    if (!reference) continue;
    const edge = ofReader.get(link.from) ?? { paths: new Set(), rank: KINDS.length };
    edge.paths.add(printReference(reference));
    edge.rank = Math.min(edge.rank, rankOf(link, byId.get(link.from), reader));
    ofReader.set(link.from, edge);
  }
  finish();
  return edges;
}

function rankOf({ write, read }: Link, writer: PlanCall | undefined, reader: PlanCall | undefined): number {
  const output = writer?.output ?? [];
  const expression = reader?.reads[read.read]?.expression ?? [];
  if (output.length > 1) return KINDS.indexOf("branch");
  if (expression.length > 1) return KINDS.indexOf("fallback");
  if ((expression[read.alternative]?.length ?? 0) > 1) return KINDS.indexOf("gate");
  // `†state` alone is many paths and no fan-out (P9), and so is what a delegate writes back (P27).
  const own = writer?.outputPath?.[write.alternative] ?? [];
  const target = output[write.alternative]?.[write.target];
  const isFannedOut = own.length > 1 && own.some((each) => target && overlaps(each, target));
  return KINDS.indexOf(isFannedOut ? "fanout" : "data");
}

/** Layers calls by their longest way from a call that waits for nothing. A cycle is opened at its first call. */
export function findWaves(ids: readonly string[], edges: readonly { from: string; to: string }[]): string[][] {
  const followers = new Map<string, string[]>(ids.map((id) => [id, []]));
  const waitsFor = new Map<string, number>(ids.map((id) => [id, 0]));
  for (const { from, to } of edges) {
    followers.get(from)?.push(to);
    waitsFor.set(to, (waitsFor.get(to) ?? 0) + 1);
  }
  const wave = new Map<string, number>();
  const ready = ids.filter((id) => waitsFor.get(id) === 0);
  const placed = new Set(ready);
  let unplaced = 0;
  for (let index = 0; index < ids.length; index++) {
    if (index === ready.length) {
      while (placed.has(ids[unplaced] ?? "")) unplaced++;
      const opened = ids[unplaced];
      if (opened === undefined) break;
      placed.add(opened);
      ready.push(opened);
    }
    const id = ready[index] ?? "";
    for (const follower of followers.get(id) ?? []) {
      if (!placed.has(follower)) wave.set(follower, Math.max(wave.get(follower) ?? 0, (wave.get(id) ?? 0) + 1));
      const left = (waitsFor.get(follower) ?? 0) - 1;
      waitsFor.set(follower, left);
      if (left === 0 && !placed.has(follower)) {
        placed.add(follower);
        ready.push(follower);
      }
    }
  }
  const waves: string[][] = [];
  for (const id of ids) {
    const place = wave.get(id) ?? 0;
    for (let next = waves.length; next <= place; next++) waves.push([]);
    waves[place]?.push(id);
  }
  // Opening a cycle can leave a wave without calls.
  return waves.filter((calls) => calls.length > 0);
}
