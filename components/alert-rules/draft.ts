import {
  type Condition,
  METRIC_TRAITS,
  type Metric,
  RULE_FILTERS,
  type RuleFilter,
  type Window,
} from "@/lib/alert-rules/rule.ts";

/** A rule as it is being written: numbers as texts, shares in percent. */
export interface RuleDraft {
  name: string;
  enabled: boolean;
  metric: Metric;
  score: string;
  operator: Condition["operator"];
  threshold: string;
  window: Window;
  minCount: string;
  quiet: string;
  filters: Record<RuleFilter, string>;
}

/** The thresholds that a new rule starts with, in the units of the form. */
const USUAL: Record<Metric, string> = {
  error_rate: "5",
  cost: "10",
  score: "3",
  stuck_run: "30",
  approval_wait: "60",
  error_returned: "7",
};

const NO_FILTERS: RuleDraft["filters"] = { agent: "", version: "", model: "", channel: "", stage: "", tool: "" };

export const NEW_RULE: RuleDraft = {
  ...{ name: "", enabled: true, metric: "error_rate", score: "", operator: "above", threshold: USUAL.error_rate },
  ...{ window: 1, minCount: "20", quiet: "60", filters: NO_FILTERS },
};

/** A draft that watches another metric, with the threshold that is usual for it. */
export function withMetric(draft: RuleDraft, metric: Metric): RuleDraft {
  return { ...draft, metric, threshold: USUAL[metric], operator: metric === "score" ? "below" : "above" };
}

/** A saved rule as a draft. */
export function draftOf(name: string, enabled: boolean, condition: Condition): RuleDraft {
  const { metric, score = "", operator, threshold, window_hours, min_count, quiet_minutes } = condition;
  const filters = { ...NO_FILTERS };
  for (const filter of RULE_FILTERS) filters[filter] = condition[filter] ?? "";
  return {
    ...{ name, enabled, metric, score, operator, window: window_hours, filters },
    threshold: String(metric === "error_rate" ? Number((threshold * 100).toFixed(6)) : threshold),
    minCount: String(min_count),
    quiet: String(quiet_minutes),
  };
}

/** A field that keeps a draft from being saved. */
export type RuleFault = "score" | "tool" | "threshold" | "min_count" | "quiet" | "name";

/** The fields of a draft that are missing, or have no value that they can have, in the order of the form. */
export function faultsOf(draft: RuleDraft): RuleFault[] {
  const { metric, filters } = draft;
  const threshold = numberOf(draft.threshold, metric === "score" ? Number.NEGATIVE_INFINITY : 0);
  const quiet = numberOf(draft.quiet, 0);
  const wrong: Record<RuleFault, boolean> = {
    score: metric === "score" && draft.score.trim() === "",
    tool: metric === "error_returned" && filters.tool.trim() === "",
    threshold: threshold === null || (metric === "error_rate" && threshold >= 100),
    min_count: METRIC_TRAITS[metric].hasCount && numberOf(draft.minCount, 1) === null,
    quiet: quiet === null || quiet > 10_080,
    name: draft.name.trim() === "",
  };
  return FAULTS.filter((name) => wrong[name]);
}

const FAULTS = ["score", "tool", "threshold", "min_count", "quiet", "name"] as const satisfies readonly RuleFault[];

/** The condition of a draft; null while it is not complete. */
export function conditionOf(draft: RuleDraft): Condition | null {
  const { metric, operator, window, filters } = draft;
  if (faultsOf(draft).some((name) => name !== "name")) return null;
  const { filters: narrows, hasCount } = METRIC_TRAITS[metric];
  const threshold = numberOf(draft.threshold, Number.NEGATIVE_INFINITY) ?? 0;
  const minCount = (hasCount && numberOf(draft.minCount, 1)) || 1;
  const quiet = numberOf(draft.quiet, 0) ?? 0;
  const score = draft.score.trim();
  const given = narrows.flatMap((name) => (filters[name].trim() === "" ? [] : [[name, filters[name].trim()]]));
  return {
    metric,
    ...(metric === "score" && { score }),
    operator: metric === "score" ? operator : "above",
    threshold: metric === "error_rate" ? threshold / 100 : threshold,
    window_hours: window,
    min_count: Math.round(minCount),
    quiet_minutes: Math.round(quiet),
    ...Object.fromEntries(given),
  };
}

function numberOf(text: string, least: number): number | null {
  const number = Number(text.replace(",", "."));
  return text.trim() === "" || !Number.isFinite(number) || number < least ? null : number;
}
