import type { Effect } from "../../lib/memory/actions/happening.ts";
import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import type { MemoryKeeper } from "./memory-keeper.ts";
import type { Draft, Recording, RunName } from "./recording.ts";

/** The outcome of a call. Times in ms. */
export interface Outcome {
  /** The duration of the last attempt. */
  ms: number;
  output?: Json;
  /** Its effect, if the method does not determine it. */
  effect?: Effect;
  /** The alternative of the output path; the first by default. */
  branch?: number;
  /** The call fails; `branch` is then the alternative of the error (P10). */
  error?: ToolError;
  /** Failed attempts before the last one. */
  tries?: { ms: number; error: ToolError; delay: number }[];
  /** Requires approval; without a decision it is pending. */
  asks?: Asked;
  /** The model produces the result. */
  model?: { input: number; output: number };
  /** A delegate with its own plan produces the result. */
  delegate?: Delegate;
}

export interface ToolError extends JsonObject {
  code: string;
  message: string;
}

/** The confirmation; `before` has the old values, by field. */
export interface Asked {
  key: string;
  description: string;
  before?: JsonObject;
  decision?: Decision | undefined;
}

/** The decision, and its delay. */
export interface Decision {
  after: number;
  by: string;
  /** The reason of a denial; undefined for an approval. */
  deny?: string;
}

/** A delegate with its own plan (P27). */
export interface Delegate {
  name: string;
  plan: JsonObject[];
  outcomes: Record<string, Outcome>;
}

/** An instance: its state, and the outcomes of its calls by id. */
export interface Scene {
  input: JsonObject;
  outcomes: Record<string, Outcome>;
}

/** The run in which a plan is simulated. */
export interface Stage {
  recording: Recording;
  run: RunName;
  iteration: number;
  actor: string;
  model: { model: string; provider: string };
  /** Keeps the user's memory; null for none. */
  memory: MemoryKeeper | null;
  /** Starts calls that wait for nothing else. */
  cause: Draft;
}
