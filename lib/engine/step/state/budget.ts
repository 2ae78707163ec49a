import type { Budget } from "../../engine.ts";

/** What a top-level run has used up so far, its delegates included. Changed only by the runs' own events. */
export class BudgetUse {
  /** Starts of calls, further tries included. */
  calls = 0;
  tokens = 0;
  /** Starts of calls that a delegate carries out. */
  delegates = 0;
  #active = 0;
  /** Since when it is active; null while it waits for a person or has ended: that time is not the run's. */
  #since: number | null = null;

  /** The run is at work from `at` (epoch ms) on, or no longer. */
  setActive(active: boolean, at: number): void {
    this.touch(at);
    this.#since = active ? at : null;
  }

  /** Something happened at `at`: until then it was at work, if it was. */
  touch(at: number): void {
    if (this.#since === null) return;
    this.#active += Math.max(0, at - this.#since);
    this.#since = at;
  }

  /** The time until `at` did not count: no process was there to use it. */
  skipTo(at: number): void {
    if (this.#since !== null) this.#since = at;
  }

  /** Time at work until `at`, in ms. */
  timeUntil(at: number): number {
    return this.#active + (this.#since === null ? 0 : Math.max(0, at - this.#since));
  }

  /** A person has the run go on: it may use as much again. */
  restart(): void {
    this.calls = 0;
    this.tokens = 0;
    this.delegates = 0;
    this.#active = 0;
  }
}

/** Which part of a budget is spent at `now` (epoch ms), in words for a person; null while there is some left. */
export function spentOf(budget: Budget, use: BudgetUse, now: number): string | null {
  if (budget.calls !== undefined && use.calls >= budget.calls) return `${budget.calls} calls`;
  if (budget.tokens !== undefined && use.tokens >= budget.tokens) return `${budget.tokens} tokens`;
  if (budget.time_ms !== undefined && use.timeUntil(now) >= budget.time_ms) return `${budget.time_ms} ms`;
  return null;
}
