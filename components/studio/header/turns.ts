import { isPersonsMessage } from "@/lib/session/timeline/steps.ts";
import type { TimelineRows } from "@/lib/session/timeline/timeline.ts";

/**
 * The steps at which top-level runs start. Rows have no parents: a run that starts during another without a message in
 * between is a delegate's.
 */
export function turnStarts(rows: TimelineRows): number[] {
  const open = new Set<string | null>();
  const starts: number[] = [];
  for (const row of rows) {
    if (isPersonsMessage(row)) open.clear();
    else if (row.type === "run.started") {
      if (open.size === 0) starts.push(row.seq);
      open.add(row.run);
    } else if (/^run\.(finished|failed|cancelled)$/.test(row.type)) open.delete(row.run);
  }
  return starts;
}
