import type { AlertRule, AlertRuleStore } from "../../db/alert-rules.ts";
import type { Replicas } from "../../db/replicas.ts";
import type { Clock } from "../engine/ports.ts";
import { HOUR_MS } from "../rollup/place.ts";
import type { Prices } from "../session/prices.ts";
import { type Evaluation, evaluate, type HourRow, hoursBefore, stateOf } from "./evaluate.ts";
import { METRIC_TRAITS } from "./rule.ts";

/** What the evaluation of rules depends on. */
export interface RuleNeeds {
  alertRules: Pick<AlertRuleStore, "list" | "measure" | "begin" | "worsen" | "tell" | "settle">;
  /** Whether this server evaluates rules, and no other; the others tell it of changed rules. */
  replicas: Pick<Replicas, "isLeader" | "tell" | "hear">;
  bus: { subscribe(listener: () => void): () => void };
  prices: Prices;
  clock: Clock;
  /** Whether any channel is configured by which a firing is told. */
  canTell: boolean;
  /** Something is to be sent. */
  onTold(): void;
  newId(): string;
  logger: { warn(fields: object, message: string): void };
}

/** Evaluates alert rules. */
export interface RuleFollower {
  start(): Promise<void>;
  /** A rule was made or changed: it is evaluated soon, by whichever replica does it. */
  ruleChanged(): void;
  /** Resolves when nothing is being evaluated any more. */
  stop(): Promise<void>;
}

/** How long events are gathered before rules are evaluated, and how long nothing is evaluated after that, ms. */
const GATHER_MS = 3_000;
const REST_MS = 15_000;
/** How often they are evaluated without events: what waits grows older, and windows end. */
const EVERY_MS = 60_000;
/** How long changes of rules are gathered: somebody waits to see what the rule says. */
const CHANGED_MS = 200;

/**
 * Evaluates alert rules when the log has grown, when a rule has changed, and every minute. What a rule is doing is stored before anything is told, and told
 * in the transaction that says so: a crash neither loses a notification nor makes another one.
 */
export function followRules(needs: RuleNeeds): RuleFollower {
  const { bus, clock, replicas, logger } = needs;
  let timer: { at: number; cancel(): void } | null = null;
  let working: Promise<void> | null = null;
  let restsUntil = 0;
  let isFailing = false;
  let hasNews = false;
  let hasChanged = false;
  let isStopped = true;
  let unsubscribe = (): void => undefined;

  function wake(ms: number): void {
    const at = clock.now() + ms;
    if (isStopped || (timer && timer.at <= at)) return;
    timer?.cancel();
    timer = { at, cancel: clock.later(ms, run) };
  }

  function wakeForNews(): void {
    if (hasChanged) wake(CHANGED_MS);
    else if (hasNews) wake(Math.max(GATHER_MS, Math.min(REST_MS, restsUntil - clock.now())));
  }

  function run(): void {
    timer = null;
    if (working) return;
    // Changes of rules are few: what happens after one need not wait longer.
    const isForChange = hasChanged;
    hasNews = false;
    hasChanged = false;
    working = evaluateRules(needs)
      .then(
        () => {
          isFailing = false;
        },
        (error: unknown) => {
          // Logged once per outage.
          if (!isFailing && !isStopped) logger.warn({ err: error }, "Could not evaluate alert rules; retrying later");
          isFailing = true;
        },
      )
      .then(() => {
        working = null;
        // A change ends a firing, which is told to whom it was told.
        if (isForChange) needs.onTold();
        else restsUntil = clock.now() + REST_MS;
        wake(EVERY_MS);
        wakeForNews();
      });
  }

  function heardOfChange(): void {
    hasChanged = true;
    if (!working) wakeForNews();
  }
  replicas.hear("alert-rules", heardOfChange);

  return {
    async start() {
      isStopped = false;
      unsubscribe = bus.subscribe(() => {
        hasNews = true;
        if (!working) wakeForNews();
      });
      wake(GATHER_MS);
    },
    ruleChanged() {
      heardOfChange();
      replicas.tell("alert-rules", "");
    },
    async stop() {
      isStopped = true;
      unsubscribe();
      timer?.cancel();
      timer = null;
      await working;
    },
  };
}

/** Evaluates all rules once, and stores and tells what has changed. */
export async function evaluateRules(needs: RuleNeeds): Promise<void> {
  const { alertRules, prices, clock } = needs;
  const rules = (await alertRules.list()).filter(({ enabled }) => enabled);
  if (rules.length === 0) return;
  const now = clock.now();
  const hour = Math.floor(now / HOUR_MS);
  const asked = rules.map(({ condition }) => ({ condition, from: hour - hoursBefore(condition), to: hour }));
  const measured = await alertRules.measure(asked, now, prices);
  for (const [index, rule] of rules.entries()) {
    const evaluation = evaluationOf(rule, measured[index] ?? [], { hour, prices });
    await follow(needs, rule, evaluation, now);
  }
}

function evaluationOf(
  { condition }: AlertRule,
  rows: readonly HourRow[],
  { hour, prices }: { hour: number; prices: Prices },
): Evaluation {
  const evaluation = evaluate(condition, new Map(rows.map((row) => [row.hour, row])), hour);
  // Without prices nothing is known of costs.
  const isKnown = condition.metric !== "cost" || Object.keys(prices).length > 0;
  return isKnown ? evaluation : { ...evaluation, value: null };
}

async function follow(needs: RuleNeeds, rule: AlertRule, evaluation: Evaluation, now: number): Promise<void> {
  const { alertRules, replicas, newId } = needs;
  const { condition, firing } = rule;
  const { value, count, from } = evaluation;
  const state = stateOf(condition, evaluation);
  const change = async (write: () => Promise<void>) => {
    if (!replicas.isLeader()) throw new Error("Another replica may evaluate the alert rules");
    await write();
  };
  if (state !== "firing") {
    if (state === rule.state) return;
    await change(() => alertRules.settle(rule, state, now));
    // That it has ended is told to whom it was told.
    if (firing?.told_at != null) needs.onTold();
    return;
  }
  if (value === null) return;
  if (!firing && isEarly(rule, now)) {
    if (rule.state !== "pending") await change(() => alertRules.settle(rule, "pending", now));
    return;
  }
  const id = firing?.id ?? newId();
  if (!firing) {
    const windowFrom = METRIC_TRAITS[condition.metric].hasWindow ? from * HOUR_MS : now;
    await change(() => alertRules.begin(rule, { id, at: now, window_from: windowFrom, value, count }));
  } else if (condition.operator === "above" ? value > firing.peak : value < firing.peak)
    await change(() => alertRules.worsen(id, value));
  if (!needs.canTell || firing?.told_at != null || isQuiet(rule, now)) return;
  await change(() => alertRules.tell(id, now));
  needs.onTold();
}

/** Whether the value is not beyond the threshold for long enough. */
function isEarly({ state, since, condition: { for_minutes = 0 } }: AlertRule, now: number): boolean {
  if (for_minutes === 0) return false;
  return state !== "pending" || now < Date.parse(since) + for_minutes * 60_000;
}

/** Whether nothing may be told yet. What still fires after that is told then. */
function isQuiet({ muted_until, told_at, condition }: AlertRule, now: number): boolean {
  if (muted_until !== null && now < Date.parse(muted_until)) return true;
  return told_at !== null && now < Date.parse(told_at) + condition.quiet_minutes * 60_000;
}
