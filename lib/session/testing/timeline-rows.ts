import type { TimelineRow } from "../timeline/timeline.ts";

/** A row for tests with default values. */
export function row(seq: number, type: string, rest: Partial<TimelineRow> = {}): TimelineRow {
  const error = type.endsWith(".failed");
  return { seq, time: null, type, actor: null, agent: null, run: null, call: null, cause: null, error, ...rest };
}

/** Rows with these types in order, `seq` from 1, in one run, at the given ms. */
export function rowsOf(types: readonly string[], times: readonly (number | null)[] = []): TimelineRow[] {
  return types.map((type, i) => row(i + 1, type, { run: "r", time: times[i] ?? null }));
}

/** The identity of a call for tests. */
export function callNamed(id: string, instance = ""): TimelineRow["call"] {
  return { run: "r", iteration: 1, instance, id, tool: `tool.${id}` };
}
