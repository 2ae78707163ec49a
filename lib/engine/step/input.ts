import type { NewEvent } from "../../../db/repositories.ts";
import type { Context } from "../../plan/message.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import type { Failure } from "../../session/session.ts";
import type { CallAnswer, CallPlace, Decision } from "../engine.ts";
import type { Recorded } from "../isolation.ts";
import type { ModelAnswer } from "../model.ts";
import type { ProducedOutput, Proposal } from "../planning/port.ts";
import type { PromptEvents } from "../prompt.ts";
import type { Direction, HistoryRange } from "../turn.ts";
import type { Outcome } from "./calls/retry.ts";
import type { Beginning } from "./course/begin-run.ts";
import type { ConfirmationEvent, RunConfirmation } from "./state/apply-confirmation.ts";
import type { Seed } from "./state/ids.ts";
import type { Termination } from "./state/in-flight.ts";

/** The time of an input, and its seed of randomness. */
export interface Moment {
  /** Epoch ms. */
  at: number;
  seed: Seed;
}

/** A request to a model, as its events record it. */
export interface Requested {
  prompt: PromptEvents;
  /** The input as sent, without the instructions. */
  input: Json;
  previous_response_id: string | null;
  /** Up to which messages the model has the conversation with it. */
  told: HistoryRange | null;
}

/** Why there is no plan. */
export type NoPlan =
  | { kind: "allowance"; message: string; code: string; alert: boolean }
  | { kind: "prompt"; code: string; message: string }
  | { kind: "model"; failure: Failure };

/** Everything that can happen to a run, as data: recorded inputs can be replayed. */
export type Input =
  | { kind: "begin"; beginning: Beginning; queued: boolean }
  /**
   * The run is recovered from the log. `turn`: its place in its user's turn queue. `manager`: who has taken over the
   * conversation, if the last process ended between the takeover and its effect. `isNew`: nobody has carried it on before, and
   * the log has its user's memory as it began.
   */
  | { kind: "recovered"; turn: Turn; manager: string | null; isNew: boolean }
  | { kind: "wake" }
  /** The events of a step are on disk, with the change of the user's memory. */
  | { kind: "committed"; updated: NewEvent | null }
  | { kind: "terminate"; termination: Termination }
  | { kind: "resume"; calls: CallPlace[]; actor: string; held: boolean }
  | { kind: "decide"; confirmation_id: string; decision: Decision }
  /** The same, but whoever carries the run on acts on it. */
  | { kind: "record_decision"; confirmation_id: string; decision: Decision }
  /** Another replica has recorded a decision. */
  | { kind: "decided"; event: ConfirmationEvent }
  /** Results of calls that the program carries out which started the turn. */
  | { kind: "answered"; answers: CallAnswer[]; actor: string }
  /** The request is withdrawn. */
  | { kind: "withdraw"; confirmation_id: string; reason: string }
  | { kind: "tell_escalated"; caused_by: string | null }
  | { kind: "turn_came"; held: boolean }
  | { kind: "turn_held" }
  | { kind: "turn_given_up" }
  | { kind: "time_due" }
  /** `jitter`: from 0 to below 1, for the wait before a retry. `aborted`: the error only says that it was aborted. */
  | { kind: "attempt_ended"; ticket: number; outcome: Outcome; aborted: boolean; jitter: number }
  /** `part`: from 0 to 1; null if unknown. */
  | { kind: "attempt_progressed"; ticket: number; part: number | null; message: string | null }
  | { kind: "attempt_timed_out"; ticket: number; jitter: number }
  | { kind: "retry_due"; ticket: number }
  /** A usable approval, or the description for the operator; and what other runs of the user wait for. */
  | { kind: "approval_found"; ticket: number; grant: string | null; before: JsonObject | null; others: Awaited[] }
  | { kind: "recording_found"; ticket: number; recorded: Recorded | null }
  | { kind: "result_requested"; ticket: number; requested: Requested }
  | { kind: "result_came"; ticket: number; produced: ProducedOutput["produced"]; answer: ModelAnswer }
  | { kind: "result_failed"; ticket: number; why: Exclude<NoPlan, { kind: "prompt" }> }
  | { kind: "plan_requested"; ticket: number; requested: Requested; warnings: string[] | null }
  /** A call arrived in the stream before its plan was complete. */
  | { kind: "call_streamed"; ticket: number; call: JsonObject; context: Context }
  | { kind: "plan_came"; ticket: number; proposal: Omit<Proposal, "request"> }
  | { kind: "plan_failed"; ticket: number; why: NoPlan }
  | { kind: "directed"; ticket: number; direction: Direction }
  | { kind: "direction_failed"; ticket: number; message: string }
  /** The start of a delegate's call is on disk: its run can be started. */
  | { kind: "open_delegate"; ticket: number }
  | { kind: "delegate_waits"; call: CallPlace; run_id: string; waiting: boolean }
  | { kind: "delegate_ended"; call: CallPlace; run_id: string };

export type InputOf<Kind extends Input["kind"]> = Extract<Input, { kind: Kind }>;

/** A recovered run's place in its user's turn queue: it needs none, has it, waits for it, or has not asked. */
export type Turn = "none" | "held" | "queued" | "aside";

/** A pending confirmation of another run of the same user. */
export interface Awaited extends Pick<RunConfirmation, "id" | "key" | "action"> {
  run_id: string;
}
