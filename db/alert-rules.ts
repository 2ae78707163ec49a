import type { HourRow } from "../lib/alert-rules/evaluate.ts";
import type { Condition, RuleState } from "../lib/alert-rules/rule.ts";
import type { Prices } from "../lib/session/prices.ts";

/** An alert rule with its state. */
export interface AlertRule {
  id: string;
  name: string;
  condition: Condition;
  enabled: boolean;
  /** Nothing is told until then; null for never muted. ISO 8601, as all times. */
  muted_until: string | null;
  state: RuleState;
  /** Since when it has this state. */
  since: string;
  /** The newest notification. */
  told_at: string | null;
  created_at: string;
  created_by: string;
  updated_at: string;
  /** The firing under way. */
  firing: RuleFiring | null;
}

/** A time in which a rule was firing. */
export interface RuleFiring {
  id: string;
  rule_id: string;
  started_at: string;
  /** Null: it still is. */
  ended_at: string | null;
  /** The beginning of the window in which it began to fire. */
  window_from: string;
  /** The value at its beginning, and the worst since. */
  value: number;
  peak: number;
  /** Turns, calls or scores in the window at its beginning. */
  count: number;
  /** When it was told; null if it was not. */
  told_at: string | null;
}

export type NewRule = Pick<AlertRule, "id" | "name" | "condition" | "enabled"> & { by: string };

/** A rule as it was read: a change of its state is dropped if the rule was changed since. */
export type ReadRule = Pick<AlertRule, "id" | "updated_at">;

/** The hours that are read for a condition; both among them. */
export interface RuleHours {
  condition: Condition;
  from: number;
  to: number;
}

/** Alert rules, their state and their firings. Nothing of it is in the event log. */
export interface AlertRuleStore {
  /** By name. */
  list(): Promise<AlertRule[]>;
  get(id: string): Promise<AlertRule | null>;
  /** `taken`: there is one of this name. `full`: there are `most`. */
  add(rule: NewRule, most: number): Promise<"added" | "taken" | "full">;
  /** Replaces what a rule watches; its state begins anew if that or whether it is enabled is another. Null: there is none. */
  change(rule: Omit<NewRule, "by">): Promise<"changed" | "taken" | null>;
  /** Mutes a rule until a time, epoch ms, or not any more. False if there is none. */
  mute(id: string, until: number | null): Promise<boolean>;
  /** Removes a rule with its firings. False if there is none. */
  remove(id: string): Promise<boolean>;
  /** Newest first. */
  firings(ruleId: string, limit: number): Promise<RuleFiring[]>;

  /** A rule begins to fire at `at`, epoch ms. */
  begin(
    rule: ReadRule,
    firing: { id: string; at: number; window_from: number; value: number; count: number },
  ): Promise<void>;
  /** The firing under way has a worse value. */
  worsen(firingId: string, peak: number): Promise<void>;
  /** Has a firing sent by each channel, once. */
  tell(firingId: string, at: number): Promise<void>;
  /** A rule is in another state than firing. */
  settle(rule: ReadRule, state: Exclude<RuleState, "firing">, at: number): Promise<void>;

  /** What was measured for each condition, by hour, at `now` (epoch ms). Hours without anything are missing. */
  measure(asked: readonly RuleHours[], now: number, prices: Prices): Promise<HourRow[][]>;
}
