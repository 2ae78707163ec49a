import { createHash } from "node:crypto";
import { HOUR_MS } from "../../lib/rollup/place.ts";
import { failureOf, fingerprintOf } from "../../lib/session/failure/failure.ts";
import { type EventRow, toEvent } from "../log/event-row.ts";
import type { Sql } from "../queries/sql.ts";
import type { ErrorGroup, Happened } from "../rollup.ts";
import { MOST_TOOL_FAILURES } from "./reads.ts";

/** An event of a failed call, with its conversation. */
export interface ToolFailureRow extends EventRow {
  called: string | null;
  place: number;
}

/** Payloads are compared up to this many bytes in all: a failure may have the parameters of its call. */
const MOST_BYTES = 8_000_000;
const MOST_GROUPS = 50;
const EXAMPLES = 3;
const PARTS = 14;

/** Names a kind of failure: see `fingerprintOf`. */
function shortNameOf(kind: string): string {
  return createHash("sha256").update(kind).digest("hex").slice(0, 16);
}

/** The positions of conversations that have a failure of this kind in these hours; `rows` are read as for `errorGroupsOf`. */
export function failedPlaces(
  rows: Iterable<ToolFailureRow>,
  fingerprint: string,
  { since, until }: Pick<Happened, "since" | "until"> = {},
): ReadonlySet<number> {
  const from = since === undefined ? Number.NEGATIVE_INFINITY : Math.floor(since / HOUR_MS) * HOUR_MS;
  const to = until === undefined ? Number.POSITIVE_INFINITY : Math.ceil(until / HOUR_MS) * HOUR_MS;
  const places = new Set<number>();
  let bytes = 0;
  for (const { place, called: _called, ...row } of rows) {
    if (bytes > MOST_BYTES) break;
    bytes += row.payload.length;
    const at = row.occurred_at ?? row.recorded_at;
    if (at < from || at >= to) continue;
    const failure = failureOf(toEvent(row));
    if (failure && shortNameOf(fingerprintOf(failure)) === fingerprint) places.add(place);
  }
  return places;
}

/** The conversations at these positions, as a condition; `plus`: see `filtersOf`. */
export function isAt(places: ReadonlySet<number>, plus: "+" | ""): Sql {
  // Whole numbers of our own; each as a value would need its own mark.
  return { text: places.size === 0 ? "false" : `${plus}position IN (${[...places].join(", ")})`, values: [] };
}

/**
 * Failures of a tool, newest first, grouped by kind: those that have one in the period, the most calls first. `versions`: which
 * versions failed in which conversation, in the period and within what it is narrowed to; failures elsewhere do not count.
 */
export function errorGroupsOf(
  rows: Iterable<ToolFailureRow>,
  versions: ReadonlyMap<number, ReadonlySet<string>>,
  { from, to }: { from: number; to: number },
): { errors: ErrorGroup[]; errors_cut: boolean } {
  const groups = new Map<string, ErrorGroup & { places: Set<number>; named: Set<string> }>();
  let compared = 0;
  let bytes = 0;
  for (const { called, place, ...row } of rows) {
    if (bytes > MOST_BYTES) break;
    compared += 1;
    bytes += row.payload.length;
    const failure = failureOf(toEvent(row));
    if (!failure) continue;
    const at = row.occurred_at ?? row.recorded_at;
    const kind = fingerprintOf(failure);
    const group = groups.get(kind) ?? {
      fingerprint: shortNameOf(kind),
      ...{
        code: failure.code,
        message: failure.message.slice(0, 500),
        calls: 0,
        conversations: 0,
        first: at,
        last: at,
      },
      ...{ over_time: Array<number>(PARTS).fill(0), versions: [], examples: [] },
      ...{ places: new Set<number>(), named: new Set<string>() },
    };
    groups.set(kind, group);
    group.first = Math.min(group.first, at);
    group.last = Math.max(group.last, at);
    const failed = versions.get(place);
    if (at < from || at >= to || !failed) continue;
    group.calls += 1;
    const part = Math.floor(((at - from) * PARTS) / (to - from));
    group.over_time[part] = (group.over_time[part] ?? 0) + 1;
    for (const version of failed) if (version !== "") group.named.add(version);
    if (group.places.has(place) || row.conversation_id === null) continue;
    group.places.add(place);
    if (group.examples.length < EXAMPLES)
      group.examples.push({ conversation_id: row.conversation_id, name: called, seq: row.seq, at });
  }
  const errors = [...groups.values()]
    .filter(({ calls }) => calls > 0)
    .sort((one, other) => other.calls - one.calls)
    .slice(0, MOST_GROUPS)
    .map(({ places, named, ...group }) => ({ ...group, conversations: places.size, versions: [...named].sort() }));
  return { errors, errors_cut: compared >= MOST_TOOL_FAILURES || bytes > MOST_BYTES };
}
