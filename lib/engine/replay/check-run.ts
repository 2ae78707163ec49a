import type { SessionEvent } from "../../session/event.ts";
import { ERASED } from "../../session/events/families/family.ts";
import type { StepEnv } from "../step/env.ts";
import { recordedWorld } from "./recorded-world.ts";
import { replayRun } from "./replay-run.ts";

/** What a check found out about a recorded run. `cannot`: nothing can be said, and why. */
export type RunChecked = { outcome: "same" } | { outcome: "differs" | "cannot"; why: string };

/** Replays a recorded run with what this server has today; `events` are those of a top-level run with its delegates' runs. */
export function checkRun(events: readonly SessionEvent[], today: Omit<StepEnv, "planner" | "talker">): RunChecked {
  if (events.some(isErased)) return { outcome: "cannot", why: "It was erased" };
  const { env, unknown } = recordedWorld(events, today);
  const replayed = replayRun(events, env);
  if (replayed.outcome !== "differs") return replayed;
  const { recorded, where } = replayed;
  const at = recorded === null ? "after its end" : `at step ${recorded.seq} (${recorded.type})`;
  const why = `${at}: ${where}`;
  if (unknown.length === 0) return { outcome: "differs", why };
  return { outcome: "cannot", why: `Tools that it had are not known here: ${unknown.join(", ")}` };
}

function isErased({ payload }: SessionEvent): boolean {
  return JSON.stringify(payload).includes(`"${ERASED}"`);
}
