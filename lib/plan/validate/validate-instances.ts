import { localized } from "../localized-text.ts";
import type { PlanProblem } from "../problem.ts";

/** The fields of a problem in one order, by whoever it was made. */
const KEYS = ["code", "severity", "call", "path", "message"];

/** Problems found instance by instance (P16): what is wrong for all is said once, the rest with the instance's name. */
export class InstanceProblems {
  readonly #instances: readonly string[];
  readonly #found = new Map<string, { problem: PlanProblem; instances: Set<string> }>();

  constructor(instances: readonly string[]) {
    this.#instances = instances;
  }

  add(instance: string, problem: PlanProblem): void {
    // With one instance there is nothing to compare.
    const key = this.#instances.length === 1 ? String(this.#found.size) : JSON.stringify(problem, KEYS);
    const known = this.#found.get(key);
    if (known) known.instances.add(instance);
    else this.#found.set(key, { problem, instances: new Set([instance]) });
  }

  /** `isOfOne` tells which calls belong to one instance alone: those need no further name. */
  told(isOfOne: (call: string) => boolean): PlanProblem[] {
    return [...this.#found.values()].flatMap(({ problem, instances }) => {
      const isSaid = problem.call !== null && isOfOne(problem.call);
      if (isSaid || instances.size === this.#instances.length) return [problem];
      return [...instances].map((instance) => ({
        ...problem,
        ...localized("in_instance")`In the instance ${instance}: ${problem}`,
      }));
    });
  }
}
