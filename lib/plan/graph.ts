import type { JsonObject } from "../session/json.ts";
import type { PlanEdge } from "../session/session.ts";
import { type CallProblem, type PlanCall, readCalls } from "./call.ts";
import { printReference, type Reference } from "./reference.ts";

/** A plan as a graph (P15): a node for each call, an edge for each pair of which one writes what the other reads. */
export interface PlanGraph {
  nodes: { id: string; tool: string }[];
  edges: PlanEdge[];
  /** Calls that can run together: each wave waits for the ones before it. Calls of a cycle stand in plan order. */
  waves: string[][];
  /** What could not be read; the graph is of the rest. A call whose id another one has is left out. */
  problems: CallProblem[];
}

/** The kinds of edges, the first that applies names the edge (P15). */
const KINDS = ["branch", "fallback", "gate", "fanout", "data"] as const satisfies PlanEdge["kind"][];

/** Finds a plan's edges: they are never stored, they follow from who writes and who reads which path (P15). */
export function buildGraph(calls: readonly JsonObject[]): PlanGraph {
  return graphOf(readCalls(calls));
}

/** The graph of calls that have been read already. */
export function graphOf(calls: readonly PlanCall[]): PlanGraph {
  const unique = calls.filter(({ problems }) => !problems.some(({ code }) => code === "duplicate_id"));
  const edges = findEdges(unique);
  return {
    nodes: unique.map(({ id, tool }) => ({ id, tool })),
    edges,
    waves: findWaves(
      unique.map(({ id }) => id),
      edges,
    ),
    problems: calls.flatMap(({ problems }) => problems),
  };
}

function findEdges(calls: readonly PlanCall[]): PlanEdge[] {
  const writers = new WriterIndex(calls);
  const edges: PlanEdge[] = [];
  for (const reader of calls) {
    const byWriter = new Map<string, { paths: Set<string>; rank: number }>();
    for (const { expression } of reader.reads) {
      for (const gate of expression) {
        for (const reference of gate) {
          const path = printReference(reference);
          for (const write of writers.overlapping(reference)) {
            if (write.call === reader.id) continue;
            const rank = rankOf(write, expression.length > 1, gate.length > 1);
            const edge = byWriter.get(write.call);
            if (!edge) byWriter.set(write.call, { paths: new Set([path]), rank });
            else {
              edge.paths.add(path);
              edge.rank = Math.min(edge.rank, rank);
            }
          }
        }
      }
    }
    for (const [from, { paths, rank }] of byWriter) {
      edges.push({ from, to: reader.id, paths: [...paths], kind: KINDS[rank] ?? "data" });
    }
  }
  return edges;
}

function rankOf(write: Write, fallback: boolean, gate: boolean): number {
  if (write.branch) return 0;
  if (fallback) return 1;
  if (gate) return 2;
  return write.fanOut ? 3 : 4;
}

/** A target of a call's output path. */
interface Write {
  call: string;
  /** The output path has several alternatives. */
  branch: boolean;
  /** The alternative has several targets. */
  fanOut: boolean;
}

interface Branch {
  writes: Write[];
  children: Map<string, Branch>;
}

/** All targets as a tree of path segments, so that a read meets only the writers that it overlaps. */
class WriterIndex {
  private readonly kinds = new Map<string, Branch>();

  constructor(calls: readonly PlanCall[]) {
    for (const { id, output } of calls) {
      for (const fanOut of output ?? []) {
        for (const target of fanOut) {
          this.at(target).writes.push({ call: id, branch: (output?.length ?? 0) > 1, fanOut: fanOut.length > 1 });
        }
      }
    }
  }

  /** Writers of the reference itself, of its ancestors and of its descendants. */
  *overlapping(reference: Reference): Generator<Write> {
    let branch = this.kinds.get(reference.kind);
    for (const segment of reference.path) {
      if (!branch) return;
      yield* branch.writes;
      branch = branch.children.get(String(segment));
    }
    const open = branch ? [branch] : [];
    for (let next = open.pop(); next; next = open.pop()) {
      yield* next.writes;
      open.push(...next.children.values());
    }
  }

  private at(target: Reference): Branch {
    let branch = childOf(this.kinds, target.kind);
    for (const segment of target.path) branch = childOf(branch.children, String(segment));
    return branch;
  }
}

function childOf(children: Map<string, Branch>, name: string): Branch {
  const known = children.get(name);
  if (known) return known;
  const made: Branch = { writes: [], children: new Map() };
  children.set(name, made);
  return made;
}

/** Layers calls by their longest way from a call that waits for nothing. A cycle is opened at its first call. */
function findWaves(ids: readonly string[], edges: readonly PlanEdge[]): string[][] {
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
