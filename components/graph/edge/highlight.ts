import { overlaps } from "@/lib/plan/overlap.ts";
import { parseReference, type Reference } from "@/lib/plan/reference.ts";
import type { Box } from "../layout/geometry.ts";
import type { PlacedEdge } from "../layout/layout.ts";
import type { GraphNode } from "../plan-level.ts";

/** The indexes of inputs and outputs that overlap the selected path. */
export interface Highlight {
  reads: readonly number[];
  writes: readonly number[];
}

/** Parses the selected path; null for none or an invalid one. */
export function readSelectedPath(path: string | null): Reference | null {
  const parsed = path === null ? null : parseReference(path);
  return parsed?.ok ? parsed.value : null;
}

/** The highlights of a node for a path; null for none. */
export function highlightOf(
  { box, node }: { box: Box; node?: Pick<GraphNode, "chain"> },
  path: Reference | null,
): Highlight | null {
  if (!path) return null;
  const reads = box.pills.flatMap(({ reference }, index) => (overlaps(reference, path) ? [index] : []));
  const writes = box.outputs.flatMap(({ reference }, index) => (overlaps(reference, path) ? [index] : []));
  // A collapsed chain is also highlighted for paths inside of it.
  const isInside = node?.chain?.some((member) => highlightOf({ box: member.box }, path) !== null) ?? false;
  return reads.length + writes.length > 0 || isInside ? { reads, writes } : null;
}

/** Whether an edge carries the path: both of its ends overlap it. */
export function isHighlighted({ from, to, output, pill }: PlacedEdge, path: Reference | null): boolean {
  const written = from.box.outputs[output];
  const read = to.box.pills[pill];
  return (
    path !== null &&
    written !== undefined &&
    read !== undefined &&
    overlaps(written.reference, path) &&
    overlaps(read.reference, path)
  );
}
