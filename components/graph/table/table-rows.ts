import type { InferredInput } from "../edge/inferred-inputs.ts";
import { wiresOf } from "../layout/layout.ts";
import type { GraphNode, PlanLevel } from "../plan-level.ts";

/** A path that a call reads or writes, with the calls at the other ends. */
export interface TablePath {
  path: string;
  others: readonly GraphNode[];
}

/** A call as a row. */
export interface TableRow {
  node: GraphNode;
  /** Its depth in delegates. */
  depth: number;
  reads: readonly TablePath[];
  writes: readonly TablePath[];
  /** Inferred inputs. */
  brought: readonly InferredInput[];
  /** Its values that calls of this plan are inferred to have used, by call. */
  used: readonly InferredUse[];
}

/** The values that another call has used. */
export interface InferredUse {
  reader: GraphNode;
  edges: InferredInput["edges"];
}

/** All calls of a plan with all edges (C4), including those of chains and delegates, expanded or not. */
export function tableRows(level: PlanLevel, depth = 0): TableRow[] {
  const { nodes, links } = level.whole ?? level;
  const byCall = new Map(nodes.map((node) => [node.call.id, node]));
  const writers = new Map<string, GraphNode[]>();
  const readers = new Map<string, GraphNode[]>();
  for (const { link, output, pill } of wiresOf(nodes, links)) {
    const from = byCall.get(link.from);
    const to = byCall.get(link.to);
    if (!from || !to) continue;
    add(writers, `${pill} ${to.id}`, from);
    add(readers, `${output} ${from.id}`, to);
  }
  const uses = usesBySource(nodes);
  return nodes.flatMap((node) => [
    {
      node,
      depth,
      reads: node.box.pills.map(({ path }, pill) => ({ path, others: writers.get(`${pill} ${node.id}`) ?? [] })),
      writes: node.box.outputs.map(({ path }, output) => ({
        path,
        others: readers.get(`${output} ${node.id}`) ?? [],
      })),
      brought: node.brought,
      used: uses.get(node.id) ?? [],
    },
    ...(node.frame ? tableRows(node.frame, depth + 1) : []),
  ]);
}

function usesBySource(nodes: readonly GraphNode[]): Map<string, InferredUse[]> {
  const uses = new Map<string, InferredUse[]>();
  for (const reader of nodes) {
    for (const { from, edges } of reader.brought) {
      if (from === null) continue;
      const known = uses.get(from);
      if (known) known.push({ reader, edges });
      else uses.set(from, [{ reader, edges }]);
    }
  }
  return uses;
}

function add(sets: Map<string, GraphNode[]>, key: string, node: GraphNode): void {
  const known = sets.get(key);
  if (!known) sets.set(key, [node]);
  else if (!known.includes(node)) known.push(node);
}
