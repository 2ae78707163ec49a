import type { Step } from "../events/event-index-columns.ts";

/**
 * The number of errors of a session, and the state of its open runs that is needed to continue. The one definition of
 * errors, for everything that counts, draws or finds them:
 *
 * - An error is a failed call that its plan did not handle (P10), a failed run or delegate, a model request without an
 *   answer, or an invalid plan.
 * - The consequences of a failure are the same error: the failures of a call, its run, the delegate and the delegating
 *   call are one, counted at the step where it began.
 * - A repeated model request and a replaced plan are no longer errors; a failed attempt of a call never is.
 * - Actions of people are not errors: alerts, takeovers, denials, cancellations.
 */
export interface Failures {
  count: number;
  /** The runs with failures, and delegates' runs with their calls; newest last. */
  runs: readonly Trouble[];
}

interface Trouble {
  run: string;
  /** The parent's call that it belongs to, if known. */
  parent: { run: string; call: string } | null;
  failed: readonly Failed[];
}

/** A failure: an error, or a consequence of one. */
interface Failed {
  seq: number;
  id: string;
  /** For calls and delegates. */
  call: string | null;
  /** It was counted, and is no longer an error if the run asks its model again. */
  tentative: boolean;
}

/** The result of a step: whether it is an error, and which earlier steps no longer are. */
export interface Counted {
  failures: Failures;
  error: boolean;
  mended: readonly number[];
}

export const NO_FAILURES: Failures = { count: 0, runs: [] };

/**
 * The maximum number of runs, and of failures of each, that are tracked: of more concurrent ones, some count as errors
 * of their own.
 */
const RUNS = 20;
const FAILED = 20;

type FailureStep = Omit<Step, "time" | "actor" | "agent_id" | "iteration" | "tool" | "speaker">;

/** Types that change the counts while nothing has failed yet. */
const FIRST: ReadonlySet<string> = new Set([
  "run.started",
  "delegate.started",
  "call.failed",
  "delegate.finished",
  "model.failed",
  "plan.rejected",
  "run.failed",
]);

/** Whether counting a step of this type may change anything. */
export function mayCount(failures: Failures, type: string): boolean {
  return failures.runs.length > 0 || FIRST.has(type);
}

/** Counts a step. Pure; steps must be added in order. */
export function countFailure(failures: Failures, step: FailureStep): Counted {
  const counting = new Counting(failures);
  const error = counting.add(step);
  return { failures: counting.failures, error, mended: counting.mended };
}

class Counting {
  failures: Failures;
  mended: readonly number[] = [];

  constructor(failures: Failures) {
    this.failures = failures;
  }

  /** Whether the step is an error. */
  add(step: FailureStep): boolean {
    const run = step.run_id ?? "";
    switch (step.type) {
      case "run.started":
        this.#carriesOut(run, step.parent_run_id, callName(step.parent_call, step.parent_instance));
        return false;
      case "delegate.started":
        this.#carriesOut(run, step.parent_run_id, callName(step.call_id, step.instance));
        return false;
      case "run.resumed":
        this.#change(run, (trouble) => ({ ...trouble, failed: [] }));
        return false;
      case "run.finished":
      case "run.cancelled":
        this.#forget(run, step.parent_run_id === null);
        return false;
      case "model.requested":
      case "model.responded":
      case "plan.proposed":
        this.#mend(run, () => true);
        return false;
      case "call.failed":
        return step.error ? this.#fail(step, run) : this.#takenUp(step, run);
      case "delegate.finished":
        return step.error && this.#fail(step, step.parent_run_id ?? run);
      case "model.failed":
      case "plan.rejected":
        return this.#fail(step, run);
      case "run.failed":
        return this.#failRun(step, run);
      default:
        return false;
    }
  }

  /** `owner`: the failed run; the end of a delegate belongs to its parent's call. */
  #fail(step: FailureStep, owner: string): boolean {
    const { seq, id, type } = step;
    const call = callName(step.call_id, step.instance);
    const isNews = !this.#isKnown(step, owner, call);
    const tentative = isNews && (type === "model.failed" || type === "plan.rejected");
    this.#know(owner, { seq, id, call, tentative });
    if (isNews) this.#count(1);
    return isNews;
  }

  #failRun(step: FailureStep, run: string): boolean {
    const { seq, id, parent_run_id } = step;
    const { parent = null, failed = [] } = this.#troubleOf(run) ?? {};
    const isNews = failed.length === 0 && !this.#isKnown(step, parent?.run ?? null, parent?.call ?? null);
    if (isNews) this.#count(1);
    if (parent_run_id === null) this.#forget(run, true);
    else {
      this.#know(run, { seq, id, call: null, tentative: false });
      this.#change(run, (trouble) => ({ ...trouble, failed: trouble.failed.map(settled) }));
      this.#know(parent_run_id, { seq, id, call: parent?.call ?? null, tentative: false });
    }
    return isNews;
  }

  /** Whether it is a consequence of a known failure: its cause, its call's, or its delegate's. */
  #isKnown({ caused_by, run_id, type }: FailureStep, owner: string | null, call: string | null): boolean {
    if (caused_by !== null && this.failures.runs.some(({ failed }) => failed.some(({ id }) => id === caused_by)))
      return true;
    if (type === "delegate.finished" && run_id !== owner && this.#troubleOf(run_id ?? "")?.failed.length) return true;
    return owner !== null && call !== null && !!this.#troubleOf(owner)?.failed.some((one) => one.call === call);
  }

  /** The plan handled a call's failure: its consequences are no longer errors of the run. */
  #takenUp({ caused_by, call_id, instance }: FailureStep, run: string): false {
    this.#mend(run, ({ id }) => id === caused_by);
    const call = callName(call_id, instance);
    this.#change(run, (trouble) => ({ ...trouble, failed: trouble.failed.filter((one) => one.call !== call) }));
    return false;
  }

  /** The model was asked again, or a new plan was proposed. */
  #mend(run: string, which: (failed: Failed) => boolean): void {
    const mended = this.#troubleOf(run)?.failed.filter((one) => one.tentative && which(one)) ?? [];
    if (mended.length === 0) return;
    this.#change(run, (trouble) => ({ ...trouble, failed: trouble.failed.filter((one) => !mended.includes(one)) }));
    this.mended = mended.map(({ seq }) => seq);
    this.#count(-mended.length);
  }

  #carriesOut(run: string, parent: string | null, call: string | null): void {
    if (parent === null || call === null) return;
    this.#change(run, (trouble) => ({ ...trouble, parent: { run: parent, call } }));
  }

  #know(run: string, failed: Failed): void {
    this.#change(run, (trouble) => ({ ...trouble, failed: [...trouble.failed.slice(1 - FAILED), failed] }));
  }

  #troubleOf(run: string): Trouble | undefined {
    return this.failures.runs.find((trouble) => trouble.run === run);
  }

  #change(run: string, change: (trouble: Trouble) => Trouble): void {
    const { runs } = this.failures;
    const changed = change(this.#troubleOf(run) ?? { run, parent: null, failed: [] });
    const others = runs.filter((trouble) => trouble.run !== run);
    const isNothing = changed.parent === null && changed.failed.length === 0;
    this.failures = { ...this.failures, runs: isNothing ? others : [...others.slice(1 - RUNS), changed] };
  }

  /** A run has ended; with a turn, everything that belongs to it is dropped. */
  #forget(run: string, whole: boolean): void {
    const { runs } = this.failures;
    const left = runs.filter((trouble) => trouble.run !== run && !(whole && trouble.parent?.run === run));
    if (left.length < runs.length) this.failures = { ...this.failures, runs: left };
  }

  #count(more: number): void {
    this.failures = { ...this.failures, count: this.failures.count + more };
  }
}

function settled(failed: Failed): Failed {
  return failed.tentative ? { ...failed, tentative: false } : failed;
}

/** The key of a call within its run, without the iteration, which a delegate's run may not have. */
function callName(call: string | null, instance: string | null): string | null {
  return call === null ? null : `${instance ?? ""}/${call}`;
}
