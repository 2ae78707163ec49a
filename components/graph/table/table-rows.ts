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
    },
    ...(node.frame ? tableRows(node.frame, depth + 1) : []),
  ]);
}

function add(sets: Map<string, GraphNode[]>, key: string, node: GraphNode): void {
  const known = sets.get(key);
  if (!known) sets.set(key, [node]);
  else if (!known.includes(node)) known.push(node);
}
