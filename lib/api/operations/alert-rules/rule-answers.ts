import { z } from "zod";
import { condition } from "../../../alert-rules/rule-schema.ts";

const time = z.iso.datetime();

/** A time in which a rule was firing. */
export const ruleFiring = z.object({
  id: z.string(),
  rule_id: z.string(),
  started_at: time,
  ended_at: time.nullable().describe("Null: it still is."),
  window_from: time.describe("The beginning of the window in which it began to fire."),
  value: z.number().describe("At its beginning."),
  peak: z.number().describe("The worst since."),
  count: z.int().describe("Turns, calls or scores in the window at its beginning."),
  told_at: time
    .nullable()
    .describe(
      "When it was sent; null if it was not: the rule was muted, in its quiet time, or no channel is configured.",
    ),
});

/** A rule with its state. */
export const alertRule = z.object({
  id: z.string(),
  name: z.string(),
  condition,
  enabled: z.boolean(),
  muted_until: time.nullable(),
  state: z.enum(["new", "ok", "firing", "no_data"]).describe("`new`: it was not evaluated yet."),
  since: time.describe("Since when it has this state."),
  told_at: time.nullable().describe("The newest notification."),
  created_at: time,
  created_by: z.string(),
  updated_at: time,
  firing: ruleFiring.nullable().describe("The firing under way."),
});

/** What a rule would have done. */
export const backtestAnswer = z.object({
  from: time,
  to: time,
  told: z.int().describe("How many notifications there would have been."),
  currency: z.string().nullable().describe("Of costs; null if no prices are set."),
  points: z
    .array(z.object({ at: time, value: z.number().nullable() }))
    .describe("The value of each hour; null: too little to tell."),
  firings: z.array(
    z.object({
      at: time,
      until: time.nullable().describe("Null: it still would."),
      peak: z.number(),
      told: z.boolean().describe("False in the quiet time after another notification."),
    }),
  ),
});
