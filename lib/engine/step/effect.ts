import type { JsonObject } from "../../session/json/json.ts";
import type { Handler, RegisteredTool } from "../tools/tools.ts";
import type { Input } from "./input.ts";
import type { Run } from "./run.ts";
import type { PendingStart } from "./state/in-flight.ts";
import type { RunCall } from "./state/run-call.ts";

/** An effect that is carried out when the events of its step are on disk (P23). Its result returns as an input with its ticket. */
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
  /** An input for a run: this one, one of its tree, or any active run by its id. */
  | { kind: "send"; to: Run | string; input: Input };

/** An effect that is carried out at once: it starts nothing outside, or stops something there. */
export type ImmediateEffect =
  | { kind: "wake"; run: Run }
  /** Aborts the effect of a ticket. */
  | { kind: "stop"; run: Run; ticket: number; reason: string }
  /** Sets the timer of the run's time limit; null cancels it. */
  | { kind: "watch_time"; run: Run; after_ms: number | null }
  /** Requests the run's place in its user's turn queue. */
  | { kind: "line_up"; run: Run }
  /** An approval of a run that is gone is used, or will not be. */
  | { kind: "release_grant"; confirmation_id: string }
  /** A delegate's run was started or recovered. */
  | { kind: "open_run"; run: Run; input: Input };

/** Effects of one type. */
export type EffectOf<K extends Effect["kind"]> = Extract<Effect, { kind: K }>;
