import type { HourRow } from "../../lib/alert-rules/evaluate.ts";
import { KEPT_FIRINGS } from "../../lib/alert-rules/rule.ts";
import type { AlertRule, AlertRuleStore, ReadRule, RuleFiring } from "../alert-rules.ts";
import { ENDED_NOTICE } from "../notices.ts";
import type { PlainDatabase, Statement } from "../plain-database.ts";
import { toIso, toMs } from "../times.ts";

const RULE = "id, name, condition, enabled, muted_until, state, since, told_at, created_at, created_by, updated_at";
const FIRING = "id, rule_id, started_at, ended_at, window_from, value, peak, count, told_at";

/** Alert rules in either storage: the same statements. `readHours` measures in another thread. */
export function createAlertRuleStore(
  { rows, write, now }: PlainDatabase,
  rollup: { settled(): Promise<void> },
  readHours: (...asked: Parameters<AlertRuleStore["measure"]>) => Promise<HourRow[][]>,
): AlertRuleStore {
  const isWritten = async (...statement: Statement) => (await write([statement]))[0] === 1;
  const isTaken = async (id: string, name: string) =>
    (await rows("SELECT 1 FROM alert_rules WHERE name = $1 AND id <> $2", [name, id])).length > 0;
  /** The rule is as it was read. */
  const unchanged = ({ id, updated_at }: ReadRule) => [id, toMs(updated_at)] as const;

  async function read(where: string, values: string[]): Promise<AlertRule[]> {
    const [rules, firings] = await Promise.all([
      rows<RuleRow>(`SELECT ${RULE} FROM alert_rules ${where} ORDER BY name, id`, values),
      rows<FiringRow>(`SELECT ${FIRING} FROM alert_firings WHERE ended_at IS NULL`, []),
    ]);
    const open = new Map(firings.map((row) => [row.rule_id, toFiring(row)]));
    return rules.map((row) => ({ ...toRule(row), firing: open.get(row.id) ?? null }));
  }

  return {
    list: () => read("", []),
    get: async (id) => (await read("WHERE id = $1", [id]))[0] ?? null,
    async add({ id, name, condition, enabled, by }, most) {
      const added = await isWritten(
        `INSERT INTO alert_rules (id, name, condition, enabled, muted_until, state, since, told_at, created_at, created_by, updated_at)
         SELECT $1, $2, $3, $4, NULL, 'new', ${now}, NULL, ${now}, $5, ${now}
         WHERE (SELECT count(*) FROM alert_rules) < $6 ON CONFLICT (name) DO NOTHING`,
        [id, name, JSON.stringify(condition), enabled ? 1 : 0, by, most],
      );
      if (added) return "added";
      return (await isTaken(id, name)) ? "taken" : "full";
    },
    async change({ id, name, condition, enabled }) {
      if (await isTaken(id, name)) return "taken";
      const text = JSON.stringify(condition);
      const isOther = "id = $1 AND (condition <> $2 OR enabled <> $3)";
      const others = `SELECT 'rule:' || id FROM alert_firings WHERE ended_at IS NULL
        AND rule_id IN (SELECT id FROM alert_rules WHERE ${isOther})`;
      const values = [id, text, enabled ? 1 : 0];
      // In all transactions here the rule is changed first, which locks its row: of two, the second sees what the first has done.
      const written = await write([
        [`UPDATE alert_rules SET state = 'new', since = ${now} WHERE ${isOther}`, values],
        [`DELETE FROM notices WHERE message IS NULL AND sent_at IS NULL AND subject IN (${others})`, values],
        [
          `INSERT INTO notices (subject, channel, number, due_at) SELECT subject, channel, ${ENDED_NOTICE}, ${now} FROM notices
           WHERE number = 0 AND subject IN (${others}) ON CONFLICT DO NOTHING`,
          values,
        ],
        [
          `UPDATE alert_firings SET ended_at = ${now} WHERE ended_at IS NULL
             AND rule_id IN (SELECT id FROM alert_rules WHERE ${isOther})`,
          values,
        ],
        [
          `UPDATE alert_rules SET name = $4, condition = $2, enabled = $3, updated_at = ${now} WHERE id = $1`,
          [id, text, enabled ? 1 : 0, name],
        ],
      ]);
      return written.at(-1) === 1 ? "changed" : null;
    },
    mute: (id, until) => isWritten("UPDATE alert_rules SET muted_until = $2 WHERE id = $1", [id, until]),
    async remove(id) {
      const written = await write([
        ["DELETE FROM alert_firings WHERE rule_id = $1", [id]],
        ["DELETE FROM alert_rules WHERE id = $1", [id]],
      ]);
      return written.at(-1) === 1;
    },
    firings: async (ruleId, limit) =>
      (
        await rows<FiringRow>(
          `SELECT ${FIRING} FROM alert_firings WHERE rule_id = $1 ORDER BY started_at DESC, id DESC LIMIT $2`,
          [ruleId, limit],
        )
      ).map(toFiring),

    async begin(rule, { id, at, window_from, value, count }) {
      await write([
        [
          `UPDATE alert_rules SET state = 'firing', since = $3
           WHERE id = $1 AND updated_at = $2 AND enabled = 1 AND state <> 'firing'`,
          [...unchanged(rule), at],
        ],
        [
          `INSERT INTO alert_firings (${FIRING}, condition)
           SELECT $3, id, $4, NULL, $5, $6, $6, $7, NULL, condition
           FROM alert_rules WHERE id = $1 AND updated_at = $2 AND state = 'firing' ON CONFLICT DO NOTHING`,
          [...unchanged(rule), id, at, window_from, String(value), count],
        ],
        [
          `DELETE FROM alert_firings WHERE rule_id = $1 AND id IN (SELECT id FROM alert_firings WHERE rule_id = $1
             ORDER BY started_at DESC, id DESC LIMIT 100 OFFSET ${KEPT_FIRINGS})`,
          [rule.id],
        ],
      ]);
    },
    async worsen(firingId, peak) {
      await write([
        ["UPDATE alert_firings SET peak = $2 WHERE id = $1 AND ended_at IS NULL", [firingId, String(peak)]],
      ]);
    },
    async tell(firingId, at) {
      const untold = "id = $1 AND told_at IS NULL AND ended_at IS NULL";
      await write([
        [
          `UPDATE alert_rules SET told_at = $2
           WHERE state = 'firing' AND id IN (SELECT rule_id FROM alert_firings WHERE ${untold})`,
          [firingId, at],
        ],
        [
          `INSERT INTO notices (subject, channel, number, due_at)
           SELECT 'rule:' || alert_firings.id, channel, 0, CAST($2 AS bigint) FROM notice_places CROSS JOIN alert_firings
           WHERE ${untold} ON CONFLICT DO NOTHING`,
          [firingId, at],
        ],
        [`UPDATE alert_firings SET told_at = $2 WHERE ${untold}`, [firingId, at]],
      ]);
    },
    async settle(rule, state, at) {
      await write([
        [
          "UPDATE alert_rules SET state = $4, since = $3 WHERE id = $1 AND updated_at = $2 AND state <> $4",
          [...unchanged(rule), at, state],
        ],
        [
          `INSERT INTO notices (subject, channel, number, due_at)
           SELECT 'rule:' || alert_firings.id, channel, ${ENDED_NOTICE}, CAST($3 AS bigint)
           FROM notice_places CROSS JOIN alert_firings
           WHERE ended_at IS NULL AND told_at IS NOT NULL
             AND rule_id IN (SELECT id FROM alert_rules WHERE id = $1 AND updated_at = $2) ON CONFLICT DO NOTHING`,
          [...unchanged(rule), at],
        ],
        [
          `UPDATE alert_firings SET ended_at = $3 WHERE ended_at IS NULL
             AND rule_id IN (SELECT id FROM alert_rules WHERE id = $1 AND updated_at = $2)`,
          [...unchanged(rule), at],
        ],
      ]);
    },

    async measure(...asked) {
      await rollup.settled();
      return readHours(...asked);
    },
  };
}

interface RuleRow {
  id: string;
  name: string;
  condition: string;
  enabled: number;
  muted_until: number | null;
  state: AlertRule["state"];
  since: number;
  told_at: number | null;
  created_at: number;
  created_by: string;
  updated_at: number;
}

function toRule({ condition, enabled, ...row }: RuleRow): Omit<AlertRule, "firing"> {
  return {
    ...row,
    condition: JSON.parse(condition),
    enabled: enabled === 1,
    muted_until: isoOrNull(row.muted_until),
    since: toIso(row.since),
    told_at: isoOrNull(row.told_at),
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}

interface FiringRow extends Pick<RuleFiring, "id" | "rule_id" | "count"> {
  value: string;
  peak: string;
  started_at: number;
  ended_at: number | null;
  window_from: number;
  told_at: number | null;
}

function toFiring({ value, peak, started_at, ended_at, window_from, told_at, ...row }: FiringRow): RuleFiring {
  return {
    ...row,
    value: Number(value),
    peak: Number(peak),
    started_at: toIso(started_at),
    ended_at: isoOrNull(ended_at),
    window_from: toIso(window_from),
    told_at: isoOrNull(told_at),
  };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : toIso(ms);
}
