import type { PlanProblem } from "../plan/problem.ts";

/** Why the engine refused; `code` tells the kind apart, also across bundles. */
export type EngineErrorCode =
  | "not_found"
  | "conflict"
  | "invalid_input"
  | "invalid_plan"
  | "plan_too_long"
  | "too_many_plans"
  | "too_many_runs"
  | "halted";

/** A refusal that its caller can act on. `message` is one sentence without its full stop. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** There is no such run, or it is none of the engine's own: a 404. */
export class NotFound extends EngineError {
  constructor(message: string) {
    super("not_found", message);
  }
}

/** It cannot be done as things stand: a 409. */
export class Refused extends EngineError {
  constructor(message: string) {
    super("conflict", message);
  }
}

/** The engine takes nothing at the moment, because the server is stopping or cannot write: a 503. */
export class Halted extends EngineError {
  constructor(message: string) {
    super("halted", message);
  }
}

/** Something that was sent does not hold: a 400. `faults` name each place by a JSON Pointer. */
export class InvalidInput extends EngineError {
  readonly faults: { path: string; message: string }[];

  constructor(message: string, faults: { path: string; message: string }[] = []) {
    super("invalid_input", message);
    this.faults = faults;
  }
}

/** As many runs are at work as there may be: a 429. */
export class TooManyRuns extends EngineError {
  constructor(most: number) {
    super("too_many_runs", `The limit of ${most} concurrent runs is reached; retry soon, or raise OBELUS_RUNS_AT_ONCE`);
  }
}

/** Reading a plan takes longer, or more memory, than one plan may have: a 413. */
export class PlanTooLong extends EngineError {
  constructor(seconds: number) {
    super("plan_too_long", `Validating this plan takes more than ${seconds} s or too much memory; send a smaller plan`);
  }
}

/** As many large plans wait to be read as may: a 429. */
export class TooManyPlans extends EngineError {
  constructor() {
    super("too_many_plans", "Too many large plans are waiting for validation; retry in a moment");
  }
}

/** An agent has used what it may of models: its run fails by this sentence, and no model is asked. */
export class AllowanceSpent extends Error {
  readonly code = "daily_limit";
  /** Managers are to be told. */
  readonly alert: boolean;

  constructor(message: string, alert: boolean) {
    super(message);
    this.name = "AllowanceSpent";
    this.alert = alert;
  }
}

/** What an agent is to be told cannot be made: its turn fails by this code and sentence, and no model is asked. */
export class UnusablePrompt extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnusablePrompt";
    this.code = code;
  }
}

/** A plan that does not validate: a 422 with its problems. */
export class InvalidPlan extends EngineError {
  readonly problems: PlanProblem[];

  constructor(problems: PlanProblem[]) {
    super("invalid_plan", problems.find(({ severity }) => severity === "error")?.message ?? "The plan is invalid");
    this.problems = problems;
  }
}

/**
 * Whether the log would not have an agent speak because a manager has the conversation (D11). By its code, as
 * storage's refusals are told apart: the engine does not know storage.
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
