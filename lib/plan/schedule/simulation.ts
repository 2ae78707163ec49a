import type { Json } from "../../session/json/json.ts";
import type { Target } from "../output-path.ts";
import { printReference } from "../reference.ts";
import { WorkingState } from "./working-state.ts";

/** The course of a plan without any activity (P18). */
export interface Simulation {
  /** Calls that can run together, wave by wave; those that end without running are left out. */
  waves: string[][];
  /** The longest chain of dependent calls. */
  critical_path: string[];
  calls: Record<string, SimulatedCall>;
  /** What each call writes, in the order of the waves, and the state after it. */
  steps: SimulatedStep[];
}

/** How a call would end; one that takes its error alternative counts as ended by that branch (P10). */
export interface SimulatedCall {
  status: "succeeded" | "failed" | "skipped" | "blocked" | "superseded";
  reason?: string;
}

export interface SimulatedStep {
  call: string;
  writes: { path: string; value: Json }[];
  /** The whole state after this step. It is made when it is asked for: those of all steps grow with their square. */
  readonly state: Json;
}

/** A simulation without values: it grows with its plan alone, whatever the shapes of the results are. */
export interface SimulationOutline extends Omit<Simulation, "steps"> {
  /** Which paths each call writes. */
  steps: { call: string; writes: string[] }[];
}

/** What of a simulation is kept with a run (P22). */
export function outlineOf({ waves, critical_path, calls, steps }: Simulation): SimulationOutline {
  const outlined = steps.map(({ call, writes }) => ({ call, writes: writes.map(({ path }) => path) }));
  return { waves, critical_path, calls, steps: outlined };
}

/** One value at one target. */
export interface Write {
  target: Target;
  value: Json;
}

/** The steps of calls that write one after another. `begin` is the state before the first. */
export function stepsOf(
  begin: Json | undefined,
  writes: readonly { call: string; writes: Write[] }[],
): SimulatedStep[] {
  const history = new History(
    begin,
    writes.map((step) => step.writes),
  );
  return writes.map((step, index) => ({
    call: step.call,
    writes: step.writes.map(({ target, value }) => ({ path: printReference(target), value })),
    get state() {
      return history.at(index);
    },
  }));
}

/** The states after each step, made one from another. They share what does not differ. */
class History {
  readonly #begin: Json | undefined;
  readonly #steps: readonly Write[][];
  #state: WorkingState;
  #next = 0;

  constructor(begin: Json | undefined, steps: readonly Write[][]) {
    this.#begin = begin;
    this.#steps = steps;
    this.#state = new WorkingState(begin);
  }

  at(index: number): Json {
    if (index < this.#next - 1) [this.#state, this.#next] = [new WorkingState(this.#begin), 0];
    for (; this.#next <= index; this.#next++)
      for (const { target, value } of this.#steps[this.#next] ?? []) this.#state.write(target.path, value);
    return this.#state.freeze();
  }
}
