import type { HourRow } from "../../../lib/alert-rules/evaluate.ts";
import { HOUR_MS } from "../../../lib/rollup/place.ts";
import type { Prices } from "../../../lib/session/prices.ts";
import { failedToolOf, failureHours, failuresSeen, type RuleRow, ruleRead, toHours } from "../../alert-rules/reads.ts";
import type { RuleHours } from "../../alert-rules.ts";
import { EVENT_COLUMNS, type EventRow } from "../../log/event-row.ts";
import { MOST_TOOL_FAILURES } from "../../rollup/reads.ts";
import type { Queries } from "../database.ts";
import { NOT_IMPORTED } from "../queries/pending.ts";
import { select } from "../queries/select.ts";

const OF_TOOL =
  "FROM events WHERE error = 1 AND type = 'call.failed' AND tool = $1 AND position >= 0 ORDER BY position DESC";

/** What was measured for alert rules, by hour. */
export async function readRuleHours(
  queries: Queries,
  asked: readonly RuleHours[],
  now: number,
  prices: Prices,
): Promise<HourRow[][]> {
  const seen = new Map<string, ReturnType<typeof failuresSeen>>();
  const measured: HourRow[][] = [];
  for (const one of asked) {
    const tool = failedToolOf(one.condition);
    measured.push(
      tool === null
        ? toHours(one, await select<RuleRow>(queries, ruleRead(one, now, NOT_IMPORTED)), now, prices)
        : await failuresOf(tool, one),
    );
  }
  return measured;

  async function failuresOf(tool: string, one: RuleHours): Promise<HourRow[]> {
    const [newest] = await queries.rows<{ at: number }>(
      `SELECT coalesce(occurred_at, recorded_at) AS at ${OF_TOOL} LIMIT 1`,
      [tool],
    );
    // Most of the time, nothing has failed lately.
    if ((newest?.at ?? 0) < one.from * HOUR_MS) return [];
    const known =
      seen.get(tool) ??
      failuresSeen(
        await queries.rows<EventRow>(`SELECT ${EVENT_COLUMNS} ${OF_TOOL} LIMIT ${MOST_TOOL_FAILURES}`, [tool]),
      );
    seen.set(tool, known);
    return failureHours(one, known);
  }
}
