import { z } from "zod";
import { scoreName } from "../scores/score-schema.ts";
import { PLAIN_LINE, PLAIN_LINE_FAULT } from "../session/plain-line.ts";
import { type Condition, METRIC_TRAITS, METRICS, RULE_FILTERS, WINDOWS } from "./rule.ts";

const name = z.string().min(1, "must not be empty").max(200).regex(PLAIN_LINE, PLAIN_LINE_FAULT);

/** The name of a rule: one line, without what turns the direction of a text that is sent with it. */
export const ruleName = z.string().trim().min(1, "must not be empty").max(100).regex(PLAIN_LINE, PLAIN_LINE_FAULT);

/** A condition as it is given and answered. */
export const condition = z
  .strictObject({
    metric: z.enum(METRICS),
    score: scoreName.optional().describe("The name of the score; only of the metric `score`."),
    agent: name.optional(),
    version: name.optional(),
    model: name.optional(),
    channel: name.optional(),
    stage: name.optional(),
    tool: name.optional().describe("With `error_rate`, calls of this tool are counted instead of turns."),
    operator: z.enum(["above", "below"]).default("above").describe("`below` is only for scores."),
    threshold: z
      .number()
      .min(-1_000_000_000)
      .max(1_000_000_000)
      .describe(
        "Of `error_rate` a share from 0 to 1; of `cost` an amount; of `stuck_run` and `approval_wait` minutes; of `error_returned` days.",
      ),
    window_hours: z.literal(WINDOWS).default(1).describe("The running hour and those before it."),
    min_count: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1)
      .describe("Fewer turns, calls or scores in the window say nothing."),
    quiet_minutes: z
      .int()
      .min(0)
      .max(10_080)
      .default(60)
      .describe("After a notification there is no other for so long (cooldown)."),
  })
  .superRefine((given, context) => {
    const fault = faultOf(given);
    if (fault) context.addIssue({ code: "custom", path: [fault[0]], message: fault[1] });
  });

function faultOf(given: Condition): [path: string, message: string] | null {
  const { metric, operator, threshold } = given;
  const { filters } = METRIC_TRAITS[metric];
  const other = RULE_FILTERS.find((filter) => given[filter] !== undefined && !filters.includes(filter));
  if (other) return [other, `cannot narrow ${metric}: ${filters.join(", ")} can`];
  if (metric === "score" && given.score === undefined) return ["score", "is required with the metric score"];
  if (metric !== "score" && given.score !== undefined) return ["score", "is only for the metric score"];
  if (metric === "error_returned" && given.tool === undefined) return ["tool", "is required with this metric"];
  if (metric !== "score" && operator === "below") return ["operator", "may be below only with the metric score"];
  if (metric !== "score" && threshold < 0) return ["threshold", "must not be negative"];
  if (metric === "error_rate" && threshold >= 1) return ["threshold", "must be a share from 0 to less than 1"];
  return null;
}
