import type { SessionEvent } from "../lib/session/event.ts";
import type { Json } from "../lib/session/json/json.ts";

/** Replays a recorded run of the engine, with its delegates' runs; `cannot`: the record does not have all that it takes. */
export type ReplayRun = (events: readonly SessionEvent[]) => {
  outcome: "same" | "differs" | "cannot";
  /** What differs, or why it cannot be said. */
  why?: string;
};

/** Prepares replays with what is registered in the checked database: `read` gives the values of an agent's keys. */
export type OpenReplay = (read: (agentId: string) => Json[]) => Promise<ReplayRun>;
