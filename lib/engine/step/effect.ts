import type { JsonObject } from "../../session/json/json.ts";
import type { Handler, RegisteredTool } from "../tools/tools.ts";
import type { Input } from "./input.ts";
import type { Run } from "./run.ts";
import type { PendingStart } from "./state/in-flight.ts";
import type { RunCall } from "./state/run-call.ts";

/** What is carried out when the events of a step are on disk (P23). What comes of it comes back by its ticket. */
export type Effect =
  | { kind: "call_activity"; ticket: number; call: RunCall; params: JsonObject; handler: Handler }
  | { kind: "wait_to_retry"; ticket: number; delay_ms: number }
  | { kind: "find_approval"; ticket: number; pending: PendingStart }
  | { kind: "find_recording"; ticket: number; pending: PendingStart }
  | { kind: "ask_for_result"; ticket: number; call: RunCall; tool: RegisteredTool; params: JsonObject }
  | { kind: "ask_for_plan"; ticket: number; caused_by: string | null }
  | { kind: "ask_director"; ticket: number }
  /** An approval of a run that is gone is used, or will not be. */
  | { kind: "release_grant"; confirmation_id: string }
  /** For a run to take in: this one, one of its tree, or by its id any that goes on. */
  | { kind: "send"; to: Run | string; input: Input };

/** What is carried out at once: it brings nothing about outside, or ends what goes on there. */
export type ImmediateEffect =
  | { kind: "wake"; run: Run }
  /** Lets go of what is carried out by a ticket. */
  | { kind: "stop"; run: Run; ticket: number; reason: string }
  /** Calls the run when its time is spent; null calls that off. */
  | { kind: "watch_time"; run: Run; after_ms: number | null }
  /** Asks for the run's place among its user's turns. */
  | { kind: "line_up"; run: Run }
  /** An approval of a run that is gone is used, or will not be. */
  | { kind: "release_grant"; confirmation_id: string }
  /** A delegate's run has been opened, or taken up. */
  | { kind: "open_run"; run: Run; input: Input };

/** Effects of one kind. */
export type EffectOf<K extends Effect["kind"]> = Extract<Effect, { kind: K }>;
