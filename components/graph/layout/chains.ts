import { findWaves } from "@/lib/plan/graph.ts";
import type { Link } from "@/lib/plan/links.ts";
import type { GraphNode, PlanLevel, Toggled } from "../plan-level.ts";
import { boxOf, CARD } from "./geometry.ts";

/** The length from which calls in a row are a chain. */
const LEAST_CALLS = 5;

/** Plans with more nodes have their chains collapsed by default. */
const SHOWN_WHOLE = 40;

/** The width of the collapse button in the first call of an expanded chain. */
const BUTTON = 22;

/**
 * The chains of a plan in order, by call ids: calls in a row with one writer, one reader and one alternative each. The
 * calls before and after are not part of it.
 */
export function findChains(nodes: readonly GraphNode[], links: readonly Link[]): string[][] {
  const writers = new Map<string, Set<string>>();
  const readers = new Map<string, Set<string>>();
  for (const { from, to } of links) {
    add(writers, to, from);
    add(readers, from, to);
  }
  const fit = new Set(
    nodes
      .filter(({ call, frame }) => frame === null && (call.output?.length ?? 0) <= 1)
      .map(({ call }) => call.id)
      .filter((id) => writers.get(id)?.size === 1 && readers.get(id)?.size === 1),
  );
  const chains: string[][] = [];
  const taken = new Set<string>();
  for (const id of fit) {
    if (taken.has(id) || fit.has(only(writers, id))) continue;
    const chain: string[] = [];
    // A cycle has no start, so it is never entered.
    for (let next = id; fit.has(next) && !taken.has(next); next = only(readers, next)) {
      taken.add(next);
      chain.push(next);
    }
    if (chain.length >= LEAST_CALLS) chains.push(chain);
  }
  return chains;
}

/** Collapses long chains of a large plan into one node each (C4); `toggled` are the exceptions. */
export function collapseChains(level: PlanLevel, toggled: Toggled): PlanLevel {
  const byDefault = level.nodes.length > SHOWN_WHOLE;
  const byCall = new Map(level.nodes.map((node) => [node.call.id, node]));
  const instead = new Map<string, GraphNode | null>();
  const includesCall = new Map<string, string>();
  for (const ids of findChains(level.nodes, level.links)) {
    const members = ids.flatMap((id) => byCall.get(id) ?? []);
    const [first] = members;
    if (!first) continue;
    const id = `chain ${first.id}`;
    if (byDefault === toggled.has(id)) {
      instead.set(first.call.id, headOf(first, id));
      continue;
    }
    const node = collapsed(id, members);
    for (const member of members) {
      instead.set(member.call.id, null);
      includesCall.set(member.call.id, node.call.id);
    }
    instead.set(first.call.id, node);
  }
  const nodes = level.nodes.flatMap((node) => {
    const other = instead.get(node.call.id);
    return other === undefined ? [node] : other === null ? [] : [other];
  });
  if (includesCall.size === 0) return { ...level, nodes };
  const links = level.links.flatMap((link) => {
    const from = includesCall.get(link.from) ?? link.from;
    const to = includesCall.get(link.to) ?? link.to;
    return from === to ? [] : [{ ...link, from, to }];
  });
  return {
    ...level,
    nodes: inWaves(nodes, links),
    links,
    size: level.size - level.nodes.length + nodes.length,
    whole: level,
  };
}

function collapsed(id: string, members: readonly GraphNode[]): GraphNode {
  const first = members[0];
  const last = members.at(-1);
  if (!first || !last) throw new Error("A chain without calls");
  const call = {
    ...last.call,
    id,
    tool: [...new Set([first.call.tool, last.call.tool])].join(" … "),
    reads: first.call.reads,
    parameters: {},
    delegate: null,
  };
  // Its keys are those of its last call, which writes for other calls.
  return { ...last, id, call, box: boxOf(call, 1), chain: members, heads: null, brought: [] };
}

function headOf(first: GraphNode, id: string): GraphNode {
  const width = Math.min(CARD.maxWidth, first.box.width + BUTTON);
  return { ...first, box: { ...first.box, width }, heads: id };
}

function inWaves(nodes: readonly GraphNode[], links: readonly Link[]): GraphNode[] {
  const waves = findWaves(
    nodes.map(({ call }) => call.id),
    links,
  );
  const waveOf = new Map(waves.flatMap((wave, index) => wave.map((id) => [id, index] as const)));
  return nodes.map((node) => ({ ...node, wave: waveOf.get(node.call.id) ?? 0 }));
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}

/** The only member of a set; "" for none. */
function only(sets: ReadonlyMap<string, ReadonlySet<string>>, key: string): string {
  const [one = ""] = sets.get(key) ?? [];
  return one;
}
