/** What a rule watches. */
export const METRICS = ["error_rate", "cost", "score", "stuck_run", "approval_wait", "error_returned"] as const;
export type Metric = (typeof METRICS)[number];

/** By what a rule can be narrowed: as the overview, and to a tool. */
export const RULE_FILTERS = ["agent", "version", "model", "channel", "stage", "tool"] as const;
export type RuleFilter = (typeof RULE_FILTERS)[number];

/** Windows in hours: the rollup counts by the hour. */
export const WINDOWS = [1, 3, 6, 12, 24] as const;
export type Window = (typeof WINDOWS)[number];

/** Rules of a server at most, and the firings of each that are kept. */
export const MOST_RULES = 50;
export const KEPT_FIRINGS = 200;

/**
 * When a rule fires. The threshold of `error_rate` is a share (0 to 1), of `cost` an amount, of `score` a value, of `stuck_run` and
 * `approval_wait` minutes, of `error_returned` days.
 */
export interface Condition extends Partial<Record<RuleFilter, string>> {
  metric: Metric;
  /** The name of the score. */
  score?: string | undefined;
  operator: "above" | "below";
  threshold: number;
  /** The running hour and those before it. */
  window_hours: Window;
  /** Fewer turns, calls or scores in the window say nothing. */
  min_count: number;
  /** After a notification there is no other for so long (cooldown). */
  quiet_minutes: number;
}

/** `new`: it was not evaluated yet. `no_data`: there were too few turns, calls or scores. */
export type RuleState = "new" | "ok" | "firing" | "no_data";

/** What a metric can be narrowed by, and whether it is taken over the window, or as of now. */
export const METRIC_TRAITS: Readonly<
  Record<Metric, { filters: readonly RuleFilter[]; hasWindow: boolean; hasCount: boolean }>
> = {
  error_rate: { filters: RULE_FILTERS, hasWindow: true, hasCount: true },
  cost: { filters: ["agent", "version", "model", "channel", "stage"], hasWindow: true, hasCount: false },
  score: { filters: ["agent", "channel", "stage"], hasWindow: true, hasCount: true },
  stuck_run: { filters: ["agent", "channel", "stage"], hasWindow: false, hasCount: false },
  approval_wait: { filters: ["agent", "channel", "stage"], hasWindow: false, hasCount: false },
  error_returned: { filters: ["tool", "agent"], hasWindow: true, hasCount: false },
};

/** Whether a value is beyond the threshold. */
export function isBeyond({ operator, threshold }: Pick<Condition, "operator" | "threshold">, value: number): boolean {
  return operator === "above" ? value > threshold : value < threshold;
}
