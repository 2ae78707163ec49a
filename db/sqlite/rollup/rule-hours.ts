import type { HourRow } from "../../../lib/alert-rules/evaluate.ts";
import { HOUR_MS } from "../../../lib/rollup/place.ts";
import type { Prices } from "../../../lib/session/prices.ts";
import { failedToolOf, failureHours, failuresSeen, type RuleRow, ruleRead, toHours } from "../../alert-rules/reads.ts";
import type { RuleHours } from "../../alert-rules.ts";
import { EVENT_COLUMNS, type EventRow } from "../../log/event-row.ts";
import { MOST_TOOL_FAILURES } from "../../rollup/reads.ts";
import type { Connection } from "../connection.ts";
import { NOT_IMPORTED } from "../queries/confirmations.ts";

const OF_TOOL =
  "FROM events INDEXED BY failures WHERE error = 1 AND type = 'call.failed' AND tool = ? AND position >= 0 ORDER BY position DESC";

/** What was measured for alert rules, by hour. */
export function readRuleHours(
  connection: Connection,
  asked: readonly RuleHours[],
  now: number,
  prices: Prices,
): HourRow[][] {
  const newest = connection
    .prepare<[string], number>(`SELECT coalesce(occurred_at, recorded_at) ${OF_TOOL} LIMIT 1`)
    .pluck();
  const failures = connection.prepare<[string], EventRow>(
    `SELECT ${EVENT_COLUMNS} ${OF_TOOL} LIMIT ${MOST_TOOL_FAILURES}`,
  );
  const seen = new Map<string, ReturnType<typeof failuresSeen>>();
  return asked.map((one) => {
    const tool = failedToolOf(one.condition);
    if (tool === null) {
      const { text, values } = ruleRead(one, now, NOT_IMPORTED);
      return toHours(one, connection.prepare<unknown[], RuleRow>(text).iterate(...values), now, prices);
    }
    // Most of the time, nothing has failed lately.
    if ((newest.get(tool) ?? 0) < one.from * HOUR_MS) return [];
    const known = seen.get(tool) ?? failuresSeen(failures.iterate(tool));
    seen.set(tool, known);
    return failureHours(one, known);
  });
}
