import { z } from "zod";
import { condition } from "../../lib/alert-rules/rule-schema.ts";
import { ENDED_NOTICE, type Notice } from "../notices.ts";
import { toIso } from "../times.ts";

/** A notification as it is read: the time in epoch ms, what a note says of mentions as JSON. */
export interface NoticeRow extends Omit<Notice, "since" | "mention" | "rule"> {
  since: number;
  mention: string | null;
}

const mentioned = z.object({ names: z.array(z.string()), by: z.string().nullable(), seq: z.int().nullable() });

export function toNotice({ since, mention, ...row }: NoticeRow): Notice {
  return { ...row, since: toIso(since), ...(mention !== null && { mention: mentioned.parse(JSON.parse(mention)) }) };
}

/** A firing of a rule among the notifications of a message. */
export interface RuleNoticeRow {
  id: string;
  number: number;
  rule_id: string;
  name: string;
  condition: string;
  value: string;
  count: number;
  window_from: number;
  started_at: number;
  ended_at: number | null;
}

/** The columns of a `RuleNoticeRow`: the condition as it was when the rule began to fire, whatever it is by now. */
export const RULE_NOTICES = `SELECT alert_firings.id, number, rule_id, name,
    coalesce(alert_firings.condition, alert_rules.condition) AS condition, value, count, window_from, started_at, ended_at
  FROM notices JOIN alert_firings ON alert_firings.id = substr(subject, 6) JOIN alert_rules ON alert_rules.id = rule_id`;

export function toRuleNotice(stored: RuleNoticeRow): Notice {
  const { id, number, rule_id, name, started_at, ended_at, window_from, ...row } = stored;
  return {
    ...{ kind: "rule", id, number, conversation_id: null, title: null, agent_id: null, since: toIso(started_at) },
    ...{ method: null, text: null },
    rule: {
      ...{ id: rule_id, name, count: row.count, from: window_from, at: started_at },
      condition: condition.parse(JSON.parse(row.condition)),
      value: Number(row.value),
      ...(number === ENDED_NOTICE && ended_at !== null && { ended: ended_at }),
    },
  };
}
