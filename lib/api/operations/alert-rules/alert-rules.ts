import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { AlertRule } from "../../../../db/alert-rules.ts";
import { actorOf } from "../../../access/caller.ts";
import { backtest, hoursBefore } from "../../../alert-rules/evaluate.ts";
import { KEPT_FIRINGS, MOST_RULES } from "../../../alert-rules/rule.ts";
import { condition, ruleName } from "../../../alert-rules/rule-schema.ts";
import { HOUR_MS } from "../../../rollup/place.ts";
import { answerJson } from "../../answers/answer.ts";
import { page, refusal } from "../../answers/answers.ts";
import { changesOf } from "../../audited.ts";
import { instant } from "../../fields.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { alertRule, backtestAnswer, ruleFiring } from "./rule-answers.ts";

const params = z.object({ id: z.string().min(1).max(100) });
const written = z.strictObject({ name: ruleName, condition, enabled: z.boolean().default(true) });

const LONGEST_MUTE_MS = 366 * 24 * HOUR_MS;

function unknownRule(id: string): Problem {
  return new Problem("not_found", `There is no alert rule ${id}; list them with GET /api/alert-rules.`);
}

function isAhead(at: number): boolean {
  const now = Date.now();
  return at > now && at <= now + LONGEST_MUTE_MS;
}

function takenName(name: string): Problem {
  return new Problem("conflict", `There is an alert rule named ${name} already; choose another name.`);
}

function auditedValues({ name, condition, enabled }: Pick<AlertRule, "name" | "condition" | "enabled">) {
  return { name, enabled, ...condition };
}

/** Lists the alert rules. */
export const listAlertRules = operation({
  name: "listAlertRules",
  permission: "read",
  method: "GET",
  path: "/api/alert-rules",
  summary: "Lists the alert rules by name, each with its state.",
  answers: {
    200: {
      description: `All of them, at most ${MOST_RULES}, on one page.`,
      schema: page(alertRule).extend({
        channels: z
          .array(z.string())
          .describe("By which they are sent. Empty: no channel is configured, so nothing is sent."),
      }),
    },
  },
  run: async (_input, { alertRules, notices }) =>
    answerJson({ items: await alertRules.list(), next: null, prev: null, channels: notices.channels }),
});

/** Makes an alert rule. */
export const createAlertRule = operation({
  name: "createAlertRule",
  permission: "admin",
  method: "POST",
  path: "/api/alert-rules",
  summary: "Makes an alert rule, which is evaluated from then on if it is enabled.",
  body: jsonBody(written),
  answers: {
    201: { description: "The rule.", schema: alertRule },
    409: refusal(`There is a rule of this name, or there are ${MOST_RULES} rules.`),
  },
  async run({ body, requester, audit }, { alertRules, ruleFollower }) {
    const id = randomUUID();
    const result = await alertRules.add({ id, ...body, by: actorOf(requester.caller) }, MOST_RULES);
    if (result === "taken") throw takenName(body.name);
    if (result === "full")
      throw new Problem("conflict", `There are ${MOST_RULES} alert rules already; remove one that is not needed.`);
    await audit({
      action: "alert_rule.created",
      target: `alert_rule:${id}`,
      ...changesOf(undefined, auditedValues(body)),
    });
    ruleFollower.ruleChanged();
    return answerJson(await known(alertRules, id), 201);
  },
});

/** Returns a rule with its history. */
export const getAlertRule = operation({
  name: "getAlertRule",
  permission: "read",
  method: "GET",
  path: "/api/alert-rules/{id}",
  summary: "Returns an alert rule, and when it was firing.",
  params,
  answers: {
    200: {
      description: `The rule with its newest firings, at most ${KEPT_FIRINGS}.`,
      schema: z.object({ rule: alertRule, firings: z.array(ruleFiring) }),
    },
    404: refusal("The rule does not exist."),
  },
  async run({ params: { id } }, { alertRules }) {
    const [rule, firings] = await Promise.all([known(alertRules, id), alertRules.firings(id, KEPT_FIRINGS)]);
    return answerJson({ rule, firings });
  },
});

/** Replaces a rule. */
export const putAlertRule = operation({
  name: "putAlertRule",
  permission: "admin",
  method: "PUT",
  path: "/api/alert-rules/{id}",
  summary:
    "Replaces what an alert rule watches, and whether it is enabled. If either is another one, its state begins anew.",
  params,
  body: jsonBody(written),
  answers: {
    200: { description: "The rule.", schema: alertRule },
    404: refusal("The rule does not exist."),
    409: refusal("There is another rule of this name."),
  },
  async run({ params: { id }, body, audit }, { alertRules, ruleFollower }) {
    const before = await known(alertRules, id);
    const result = await alertRules.change({ id, ...body });
    if (result === null) throw unknownRule(id);
    if (result === "taken") throw takenName(body.name);
    const changes = changesOf(auditedValues(before), auditedValues(body));
    await audit({ action: "alert_rule.changed", target: `alert_rule:${id}`, ...changes });
    ruleFollower.ruleChanged();
    return answerJson(await known(alertRules, id));
  },
});

/** Removes a rule. */
export const deleteAlertRule = operation({
  name: "deleteAlertRule",
  permission: "admin",
  method: "DELETE",
  path: "/api/alert-rules/{id}",
  summary: "Removes an alert rule with its history.",
  params,
  answers: { 204: { description: "It is removed." }, 404: refusal("The rule does not exist.") },
  async run({ params: { id }, audit }, { alertRules }) {
    const { name } = await known(alertRules, id);
    if (!(await alertRules.remove(id))) throw unknownRule(id);
    await audit({ action: "alert_rule.deleted", target: `alert_rule:${id}`, before: { name } });
    return new Response(null, { status: 204 });
  },
});

/** Mutes a rule. */
export const muteAlertRule = operation({
  name: "muteAlertRule",
  permission: "operate",
  method: "POST",
  path: "/api/alert-rules/{id}/mute",
  summary: "Mutes an alert rule until a time: it is still evaluated, and what still fires then is sent then.",
  params,
  body: jsonBody(z.strictObject({ until: instant.nullable().describe("Null: not any more.") })),
  answers: { 200: { description: "The rule.", schema: alertRule }, 404: refusal("The rule does not exist.") },
  async run({ params: { id }, body: { until }, audit }, { alertRules }) {
    if (until !== null && !isAhead(Date.parse(until)))
      throw new Problem("invalid_input", "until must be in the future, and at most a year from now.");
    if (!(await alertRules.mute(id, until === null ? null : Date.parse(until)))) throw unknownRule(id);
    await audit({ action: "alert_rule.muted", target: `alert_rule:${id}`, after: { until } });
    return answerJson(await known(alertRules, id));
  },
});

/** Tries a rule on the past. */
export const tryAlertRule = operation({
  name: "tryAlertRule",
  permission: "read",
  method: "POST",
  path: "/api/alert-rules/try",
  summary: "Tries a condition on the last 7 or 30 days, hour by hour: when it would have fired. Nothing is stored.",
  body: jsonBody(z.strictObject({ condition, days: z.literal([7, 30]).default(7) })),
  answers: { 200: { description: "What it would have done.", schema: backtestAnswer } },
  async run({ body }, { alertRules, prices }) {
    const now = Date.now();
    const to = Math.floor(now / HOUR_MS);
    const from = to - body.days * 24 + 1;
    const read = { condition: body.condition, from: from - hoursBefore(body.condition), to };
    const [rows = []] = await alertRules.measure([read], now, prices);
    const { points, firings, told } = backtest(body.condition, rows, from, to);
    const iso = (ms: number) => new Date(ms).toISOString();
    return answerJson({
      ...{ from: iso(from * HOUR_MS), to: iso(now), told },
      currency: Object.values(prices)[0]?.currency ?? null,
      points: points.map(({ at, value }) => ({ at: iso(at), value })),
      firings: firings.map(({ at, until, peak, isTold }) => ({
        ...{ at: iso(at), peak, told: isTold },
        until: until === null ? null : iso(until),
      })),
    });
  },
});

async function known(alertRules: { get(id: string): Promise<AlertRule | null> }, id: string): Promise<AlertRule> {
  const rule = await alertRules.get(id);
  if (!rule) throw unknownRule(id);
  return rule;
}
