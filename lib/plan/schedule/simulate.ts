import { isJsonObject, type Json } from "../../session/json/json.ts";
import type { PlanCall } from "../call.ts";
import { messageOf, schemaOf } from "../context.ts";
import type { Context } from "../message.ts";
import { parsePath, type Target } from "../output-path.ts";
import { printReference } from "../reference.ts";
import type { SchemaChecker } from "../schema/schema-checker.ts";
import { outputSchema, rootKeys } from "../schema/tool-schema.ts";
import { createScope } from "../scope.ts";
import type { Tool, Toolbox } from "../tool.ts";
import { errorAlternative, statusOfOutput, statusOfTargets } from "../validate/targets.ts";
import { CriticalPath } from "./critical-path.ts";
import { endingOf } from "./ending.ts";
import { exampleOf } from "./example.ts";
import { prepare } from "./prepare.ts";
import { type DueCall, Progress } from "./progress.ts";
import { StateReads } from "./read-places.ts";
import { type SimulatedCall, type Simulation, stepsOf, type Write } from "./simulation.ts";
import { WorkingState } from "./working-state.ts";

/** The effective calls (P2) of one instance, and what they are simulated against. */
export interface SimulationInput {
  calls: readonly PlanCall[];
  context: Context;
  instance: string;
  toolbox: Toolbox;
  /** Which alternative a call takes, by its id; the first where none is chosen. */
  branches: Record<string, number>;
  checker: SchemaChecker;
}

/**
 * Simulates a valid plan for one instance (P18): no activity runs, results have the shape that their tools declare. Choosing
 * an alternative that a call does not have is a broken invariant: it throws.
 */
export function simulate(input: SimulationInput): Simulation {
  return new Simulator(input).run();
}

class Simulator {
  readonly #input: SimulationInput;
  readonly #begin: Json | undefined;
  readonly #state: WorkingState;
  readonly #progress: Progress;
  readonly #path: CriticalPath;
  readonly #reads: StateReads;
  readonly #order: ReadonlyMap<string, number>;
  readonly #ends = new Map<string, SimulatedCall>();
  /** Calls that fail to their error alternative. */
  readonly #handled = new Set<string>();
  readonly #waves: string[][] = [];
  readonly #writes: { call: string; writes: Write[] }[] = [];

  constructor(input: SimulationInput) {
    const { calls, context, instance } = input;
    this.#input = input;
    this.#begin = messageOf(context, "state", instance)?.data;
    this.#state = new WorkingState(this.#begin);
    const { read } = createScope(context, instance, () => this.#state.root);
    const prepared = prepare(calls, (reference) => read(reference) !== undefined);
    this.#progress = new Progress(prepared, read);
    this.#path = new CriticalPath(prepared);
    this.#order = new Map(calls.map(({ id }, place) => [id, place]));
    this.#reads = new StateReads(calls);
  }

  run(): Simulation {
    for (let wave = this.#nextWave(); wave.length > 0; wave = this.#nextWave()) {
      this.#waves.push(wave.map(({ id }) => id));
      for (const call of wave) this.#runCall(call);
      for (const { id } of wave) this.#end(id);
    }
    return {
      waves: this.#waves,
      critical_path: this.#path.longest(),
      calls: Object.fromEntries(this.#ends),
      steps: stepsOf(this.#begin, this.#writes),
    };
  }

  /** The calls that can run now, in plan order. Calls that end without running end at once, which may make others due. */
  #nextWave(): PlanCall[] {
    const wave: PlanCall[] = [];
    for (let due = this.#progress.take(); due.length > 0; due = this.#progress.take()) {
      for (const each of due) {
        const end = this.#endWithoutRunning(each);
        this.#path.schedule(each.call.id, end === null);
        if (end === null) wave.push(each.call);
        else this.#ends.set(each.call.id, end);
      }
      for (const { call } of due) if (this.#ends.has(call.id)) this.#end(call.id);
    }
    return wave.sort((a, b) => (this.#order.get(a.id) ?? 0) - (this.#order.get(b.id) ?? 0));
  }

  #endWithoutRunning({ call, verdict, reason }: DueCall): SimulatedCall | null {
    if (verdict !== "ready") return { status: verdict, reason: reason ?? "" };
    const { output } = call;
    if (output === null) return null;
    const targets = statusOfOutput(this.#state.root, output);
    if (targets.is === "taken") return { status: "skipped", reason: "Everything it could write already exists" };
    return targets.is === "below_scalar" ? this.#fail(call) : null;
  }

  /** A call that cannot write below a value: its error goes to its error alternative, if that one is free (P10, P12). */
  #fail(call: PlanCall): SimulatedCall {
    const reason = "It would write below a value that is not an object";
    const branch = this.#errorBranch(call);
    const targets = branch === null ? [] : (call.output?.[branch] ?? []);
    if (targets.length === 0 || statusOfTargets(this.#state.root, targets) !== "free")
      return { status: "failed", reason };
    this.#write(
      call,
      targets.map((target) => ({ target, value: { code: "below_scalar", message: reason } })),
    );
    this.#handled.add(call.id);
    return { status: "failed", reason };
  }

  #errorBranch({ outputPath }: PlanCall): number | null {
    const { context, instance, checker } = this.#input;
    return errorAlternative(outputPath ?? [], schemaOf(context, "state", instance), checker);
  }

  #write(call: PlanCall, writes: Write[]): void {
    for (const { target, value } of writes) this.#state.write(target.path, value);
    this.#writes.push({ call: call.id, writes });
  }

  #runCall(call: PlanCall): void {
    const branch = this.#branchOf(call);
    const targets = call.output?.[branch] ?? [];
    const isTaken = statusOfTargets(this.#state.root, targets) !== "free";
    this.#write(call, isTaken ? [] : this.#writesOf(call, branch));
    this.#ends.set(
      call.id,
      isTaken
        ? { status: "superseded", reason: `${targets.map(printReference).join(" && ")} already exists` }
        : { status: "succeeded" },
    );
  }

  #branchOf({ id, outputPath }: PlanCall): number {
    const { branches } = this.#input;
    const branch = Object.hasOwn(branches, id) ? (branches[id] ?? 0) : 0;
    if (branch !== 0 && !outputPath?.[branch]) throw new Error(`The call ${id} has no alternative ${branch}`);
    return branch;
  }

  #writesOf(call: PlanCall, branch: number): Write[] {
    const { toolbox } = this.#input;
    const targets = call.outputPath?.[branch] ?? [];
    if (branch === this.#errorBranch(call)) {
      const value = { code: "error", message: `${call.tool} failed` };
      return targets.map((target) => ({ target, value }));
    }
    const value = this.#resultOf(call, targets);
    const tool = toolbox.tool(call.tool);
    const writes = targets.map((target) => ({
      target,
      value: target.path.length === 0 ? declaredPart(value, tool) : value,
    }));
    // A delegate writes back beside the first alternative, when it is scoped to the state (P27).
    if (call.delegate === null || branch !== 0 || !call.scopes.includes("state")) return writes;
    const back = toolbox.delegate(call.delegate)?.writes ?? [];
    return [...writes, ...back.flatMap((path) => this.#writtenBack(path))];
  }

  #resultOf(call: PlanCall, targets: readonly Target[]): Json {
    const { toolbox } = this.#input;
    const tool = toolbox.tool(call.tool);
    const isLatent = call.delegate === null && call.activity === null && !tool?.has_activity;
    if (isLatent && call.result !== undefined) return call.result;
    const delegate = call.delegate === null ? undefined : toolbox.delegate(call.delegate);
    const places = this.#reads.below(targets.map(({ path }) => path));
    return exampleOf(delegate?.output_schema ?? (tool && outputSchema(tool)), places);
  }

  #writtenBack(path: string): Write[] {
    const target = parsePath(path);
    if (!target.ok) return [];
    return [{ target: target.value, value: exampleOf(undefined, this.#reads.below([target.value.path])) }];
  }

  #end(id: string): void {
    const { status } = this.#ends.get(id) ?? { status: "succeeded" };
    const ending = endingOf({ status, handled: this.#handled.has(id), planned: false });
    this.#path.end(id);
    if (ending !== null) this.#progress.end(id, ending);
  }
}

/** `†state` alone takes the keys that the tool declares, and no others (P9). */
function declaredPart(value: Json, tool: Tool | undefined): Json {
  const keys = new Set(tool ? rootKeys(tool) : []);
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => keys.has(key))) : value;
}
