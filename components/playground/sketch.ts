import { instancesOf, messageOf } from "@/lib/plan/context.ts";
import { findWaves } from "@/lib/plan/graph.ts";
import { findLinks } from "@/lib/plan/links.ts";
import type { Context } from "@/lib/plan/message.ts";
import type { PlanProblem } from "@/lib/plan/problem.ts";
import { printReference } from "@/lib/plan/reference.ts";
import type { Simulation } from "@/lib/plan/schedule/simulation.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import type { EventType } from "@/lib/session/events/kinds.ts";
import type { Json, JsonObject } from "@/lib/session/json/json.ts";
import { planKey } from "@/lib/session/keys.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import type { Call, Session } from "@/lib/session/session.ts";
import type { ReadCalls } from "./read-calls.ts";

/** The run id of the playground. */
const RUN = "playground";

/**
 * Creates a function that shows a plan as a session without executed calls, for the studio's components. Calls that the
 * last one had are the same objects, so that their cards are not rendered again.
 */
export function createSketcher(): (read: ReadCalls, context: Context | null) => Session {
  let last: { read: ReadCalls; context: Context | null; session: Session } | null = null;
  return (read, context) => {
    const session = last ? sketchAfter(last, read, context) : sketchPlan(read, context);
    last = { read, context, session };
    return session;
  };
}

function sketchAfter(
  last: { read: ReadCalls; context: Context | null; session: Session },
  read: ReadCalls,
  context: Context | null,
): Session {
  const key = planKey(RUN, 1);
  const plan = last.session.plans.get(key);
  // Most edits change parameters, of which nothing but the plan itself knows.
  if (plan && last.context === context && isSameList(last.read.plan, read.plan))
    return { ...last.session, plans: new Map([[key, { ...plan, calls: read.plan, outputs: read.outputs }]]) };
  const sketch = sketchPlan(read, context);
  const calls = [...sketch.calls].map(([id, call]) => [id, sameCall(last.session.calls.get(id), call)] as const);
  return { ...sketch, calls: new Map(calls) };
}

/** Whether the calls have the same names in the same order. */
function isSameList(before: readonly JsonObject[], calls: readonly JsonObject[]): boolean {
  const isSame = (one: JsonObject, other: JsonObject | undefined) =>
    one === other || (one._id === other?._id && one._tool === other?._tool && one._instance === other?._instance);
  return before.length === calls.length && calls.every((call, index) => isSame(call, before[index]));
}

/** Of a call that is only planned, nothing but its name is known. */
function sameCall(before: Call | undefined, call: Call): Call {
  return before?.tool === call.tool ? before : call;
}

function sketchPlan({ plan, outputs }: ReadCalls, context: Context | null): Session {
  const instance = context ? (instancesOf(context)[0] ?? "") : "";
  const begin = context ? (messageOf(context, "state", instance)?.data ?? null) : null;
  const written = { path: "†state", value: begin, ...(instance === "" ? {} : { instance }) };
  return fold(emptySession(null), [
    event(0, "run.started", { mode: "shadow" }),
    ...(begin === null ? [] : [event(0, "state.written", written)]),
    event(0, "plan.proposed", { iteration: 1, calls: plan }),
    event(0, "plan.validated", { iteration: 1, outputs: outputs.map((output) => ({ ...output })) }),
  ]);
}

/** The same with the plan's problems. The plan's calls stay the same objects, so that the graph stays as it is. */
export function withVerdict(sketch: Session, problems: readonly PlanProblem[]): Session {
  return fold(sketch, [
    event(0, problems.some(({ severity }) => severity === "error") ? "plan.rejected" : "plan.validated", {
      iteration: 1,
      problems: problems.map((problem) => ({ ...problem })),
    }),
  ]);
}

/**
 * A simulation as sessions: before the first wave, and after each wave. Calls that end without running do so after the
 * wave that decides them.
 */
export function framesOf(start: Session, { calls }: ReadCalls, simulation: Simulation): Session[] {
  const waveOf = endings(calls, simulation);
  const tools = new Map(calls.map(({ id, tool }) => [id, tool]));
  const byWave = Map.groupBy(Object.keys(simulation.calls), (id) => waveOf.get(id) ?? simulation.waves.length);
  const writes = Map.groupBy(simulation.steps, ({ call }) => call);
  const instance = Object.keys(start.runs.get(RUN)?.state ?? {})[0] ?? "";
  const frames = [start];
  for (let wave = 1; wave <= Math.max(simulation.waves.length, ...byWave.keys(), 0); wave++) {
    const ending = byWave.get(wave) ?? [];
    const events = ending.flatMap((id) => {
      const end = simulation.calls[id];
      if (!end) return [];
      const call = { call_id: id, iteration: 1, tool: tools.get(id) ?? "", ...(instance === "" ? {} : { instance }) };
      const own = writes.get(id)?.flatMap((step) => step.writes) ?? [];
      const hasRun = end.status === "succeeded" || end.status === "superseded" || end.status === "failed";
      return [
        ...(hasRun ? [event(wave, "call.started", call)] : []),
        ...own.map(({ path, value }) =>
          event(wave, "state.written", {
            path,
            value,
            call_id: id,
            iteration: 1,
            ...(instance === "" ? {} : { instance }),
          }),
        ),
        event(wave, `call.${end.status}`, {
          ...call,
          ...(end.reason === undefined ? {} : { reason: end.reason }),
          ...(own[0] === undefined ? {} : { output: own[0].value, branch: branchOf(calls, id, own[0].path) }),
          ...(end.status === "failed" && own.length > 0 ? { handled: true } : {}),
        }),
      ];
    });
    frames.push(at(wave, fold(frames[wave - 1] ?? start, events)));
  }
  return frames;
}

/** The wave, from 1, in which each call ends. */
function endings(calls: ReadCalls["calls"], { waves }: Simulation): Map<string, number> {
  const links = findLinks(calls);
  const found = new Map(waves.flatMap((wave, index) => wave.map((id) => [id, index + 1] as const)));
  const before = Map.groupBy(links, ({ to }) => to);
  const ids = calls.map(({ id }) => id);
  for (const id of findWaves(ids, links).flat()) {
    if (found.has(id)) continue;
    found.set(id, Math.max(1, ...(before.get(id) ?? []).map(({ from }) => found.get(from) ?? 1)));
  }
  return found;
}

/** Which alternative a call took, by the first path that it wrote. */
function branchOf(calls: ReadCalls["calls"], id: string, path: string): number {
  const output = calls.find((call) => call.id === id)?.output ?? [];
  const taken = output.findIndex((fanOut) => fanOut.some((target) => printed(target.path) === path));
  return Math.max(0, taken);
}

function printed(path: readonly string[]): string {
  return printReference({ kind: "state", path });
}

/** A wave in which no call ended is a step, too. */
function at(step: number, session: Session): Session {
  return session.at === step ? session : { ...session, at: step };
}

function event(seq: number, type: EventType, payload: Json): SessionEvent {
  return {
    id: `${seq}`,
    conversation_id: null,
    seq,
    position: seq,
    type,
    actor: null,
    agent_id: null,
    run_id: RUN,
    parent_run_id: null,
    caused_by: null,
    payload,
    occurred_at: null,
    recorded_at: "",
  };
}
