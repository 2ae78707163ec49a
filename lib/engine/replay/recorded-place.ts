import type { JsonObject } from "../../session/json/json.ts";
import type { Failure } from "../../session/session.ts";
import type { CallPlace } from "../engine.ts";
import type { Run } from "../step/run.ts";
import type { RunCall } from "../step/state/run-call.ts";
import type { Recorded, Replaying } from "./replaying.ts";

type End = Recorded<"run.finished" | "run.failed" | "run.cancelled">;

/** The next end of a run in its record. */
export function endOf(replay: Replaying, run: Run): End | null {
  const end = replay.ahead(run).find((event): event is End => /^run\.(finished|failed|cancelled)$/.test(event.type));
  return end ?? null;
}

/** How an event names a call: without an iteration, one of the run's current one. */
export type Place = { call_id: string; iteration?: number | undefined; instance?: string | undefined };

/** The full place of a call that an event names. */
export function placeOf(run: Run, { call_id, iteration = run.state.iteration, instance = "" }: Place): CallPlace {
  return { call_id, iteration, instance };
}

/** The call of the replayed run that an event names. */
export function callOf(run: Run, place: Place): RunCall | undefined {
  return run.state.call(placeOf(run, place));
}

/** A failure that stands in a payload as data. */
export function readFailure({ code, message }: JsonObject): Failure {
  return { code: String(code), message: String(message) };
}

/** As it stands in the log: without fields that are undefined. */
export function plain<T>(value: T): T & JsonObject {
  return JSON.parse(JSON.stringify(value));
}
