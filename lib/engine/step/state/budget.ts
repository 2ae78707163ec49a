import type { Budget } from "../../engine.ts";

/** What a top-level run and its delegates have used of their budget. Changed only by applying the runs' events. */
export class BudgetUse {
  /** Call starts, retries included. */
  calls = 0;
  tokens = 0;
  /** Starts of calls that a delegate executes. */
  delegates = 0;
  #active = 0;
  /** When it became active; null while it waits for an operator or has ended: that time is not counted. */
  #since: number | null = null;

  /** The run becomes active or inactive at `at` (epoch ms). */
  setActive(active: boolean, at: number): void {
    this.touch(at);
    this.#since = active ? at : null;
  }

  /** Counts the time up to an event at `at` if the run is active. */
  touch(at: number): void {
    if (this.#since === null) return;
    this.#active += Math.max(0, at - this.#since);
    this.#since = at;
  }

  /** Does not count the time up to `at`: no process was running. */
  skipTo(at: number): void {
    if (this.#since !== null) this.#since = at;
  }

  /** Active time up to `at`, in ms. */
  timeUntil(at: number): number {
    return this.#active + (this.#since === null ? 0 : Math.max(0, at - this.#since));
  }

  /** An operator resumed the run: the budget starts again. */
  restart(): void {
    this.calls = 0;
    this.tokens = 0;
    this.delegates = 0;
    this.#active = 0;
  }
}

/** Which limit of a budget is exceeded at `now` (epoch ms), as text for an operator; null if none is. */
export function spentOf(budget: Budget, use: BudgetUse, now: number): string | null {
  if (budget.calls !== undefined && use.calls >= budget.calls) return `${budget.calls} calls`;
  if (budget.tokens !== undefined && use.tokens >= budget.tokens) return `${budget.tokens} tokens`;
  if (budget.time_ms !== undefined && use.timeUntil(now) >= budget.time_ms) return `${budget.time_ms} ms`;
  return null;
}
