import type { Effect } from "../../lib/memory/actions/happening.ts";
import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import type { MemoryKeeper } from "./memory-keeper.ts";
import type { Draft, Recording, RunName } from "./recording.ts";

/** What comes of a call when its turn comes. Times in ms. */
export interface Outcome {
  /** How long the last try takes. */
  ms: number;
  output?: Json;
  /** What it does outside, where its method does not tell. */
  effect?: Effect;
  /** The alternative of its output path that the result goes to; the first by default. */
  branch?: number;
  /** The call fails; `branch` then says which alternative takes the error (P10). */
  error?: ToolError;
  /** Tries that fail before the last one. */
  tries?: { ms: number; error: ToolError; delay: number }[];
  /** A person has to agree first; without a decision it still waits. */
  asks?: Asked;
  /** The model itself makes the result. */
  model?: { input: number; output: number };
  /** A delegate makes the result by a plan of its own. */
  delegate?: Delegate;
}

export interface ToolError extends JsonObject {
  code: string;
  message: string;
}

/** What a person is asked; `before` has the values that would be replaced, by field. */
export interface Asked {
  key: string;
  description: string;
  before?: JsonObject;
  decision?: Decision | undefined;
}

/** What a person decides, and how long after being asked. */
export interface Decision {
  after: number;
  by: string;
  /** Why not; left out, it is allowed. */
  deny?: string;
}

/** A saved request that has a plan of its own (P27). */
export interface Delegate {
  name: string;
  plan: JsonObject[];
  outcomes: Record<string, Outcome>;
}

/** What one instance works on, and how its calls turn out, by id. */
export interface Scene {
  input: JsonObject;
  outcomes: Record<string, Outcome>;
}

/** Where a plan is played. */
export interface Stage {
  recording: Recording;
  run: RunName;
  iteration: number;
  actor: string;
  model: { model: string; provider: string };
  /** Keeps the user's memory; null where the story tells of none. */
  memory: MemoryKeeper | null;
  /** What calls follow from that wait for no other. */
  cause: Draft;
}
