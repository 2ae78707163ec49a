import type { PlanProblem } from "../plan/problem.ts";

/** The kinds of engine errors. `code` identifies the kind across bundles, where `instanceof` does not. */
export type EngineErrorCode =
  | "not_found"
  | "conflict"
  | "invalid_input"
  | "invalid_plan"
  | "plan_too_long"
  | "too_many_plans"
  | "too_many_runs"
  | "halted";

/** An error that the caller can act on. `message` is one sentence without its full stop. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The run does not exist, or this server's engine did not start it: 404. */
export class NotFound extends EngineError {
  constructor(message: string) {
    super("not_found", message);
  }
}

/** The current state does not allow the operation: 409. */
export class Refused extends EngineError {
  constructor(message: string) {
    super("conflict", message);
  }
}

/** The engine accepts no work, because the server is stopping or cannot write: 503. */
export class Halted extends EngineError {
  constructor(message: string) {
    super("halted", message);
  }
}

/** The input is invalid: 400. `faults` name each place by JSON Pointer. */
export class InvalidInput extends EngineError {
  readonly faults: { path: string; message: string }[];

  constructor(message: string, faults: { path: string; message: string }[] = []) {
    super("invalid_input", message);
    this.faults = faults;
  }
}

/** The limit of concurrent runs is reached: 429. */
export class TooManyRuns extends EngineError {
  constructor(most: number) {
    super("too_many_runs", `The limit of ${most} concurrent runs is reached; retry soon, or raise OBELUS_RUNS_AT_ONCE`);
  }
}

/** Validating the plan exceeds the limit of time or memory for one plan: 413. */
export class PlanTooLong extends EngineError {
  constructor(seconds: number) {
    super("plan_too_long", `Validating this plan takes more than ${seconds} s or too much memory; send a smaller plan`);
  }
}

/** The queue of large plans that wait for validation is full: 429. */
export class TooManyPlans extends EngineError {
  constructor() {
    super("too_many_plans", "Too many large plans are waiting for validation; retry in a moment");
  }
}

/** The agent's model budget is spent. Its run fails with this message, and no model is called. */
export class AllowanceSpent extends Error {
  readonly code = "daily_limit";
  /** Whether managers are alerted. */
  readonly alert: boolean;

  constructor(message: string, alert: boolean) {
    super(message);
    this.name = "AllowanceSpent";
    this.alert = alert;
  }
}

/** The prompt cannot be rendered. The turn fails with this code and message, and no model is called. */
export class UnusablePrompt extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnusablePrompt";
    this.code = code;
  }
}

/** The plan is invalid: 422 with its problems. */
export class InvalidPlan extends EngineError {
  readonly problems: PlanProblem[];

  constructor(problems: PlanProblem[]) {
    super("invalid_plan", problems.find(({ severity }) => severity === "error")?.message ?? "The plan is invalid");
    this.problems = problems;
  }
}

/**
 * Whether storage refused an agent's message because a manager has taken over the conversation (D11). Checked by `code`: the
 * engine does not import storage.
 */
export function isTakenOver(error: unknown): error is Error & { by: string } {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "taken_over" &&
    "by" in error &&
    typeof error.by === "string"
  );
}
