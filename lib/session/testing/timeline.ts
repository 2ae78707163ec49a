import type { Step } from "../events/event-index-columns.ts";
import { AT_FIRST, foldChunk } from "../timeline/levels.ts";
import { encodeRows, RowMaker } from "../timeline/rows.ts";
import type { TimelineColumns } from "../timeline/timeline.ts";

/** A session's timeline as the API returns it. */
export function timelineOf(steps: readonly Step[]): TimelineColumns {
  const { rows, standing } = foldChunk(AT_FIRST, steps, () => null);
  return encodeRows(rows, RowMaker.from(standing.rows), { after: 0, last: rows.length });
}
