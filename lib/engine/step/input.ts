import type { NewEvent } from "../../../db/repositories.ts";
import type { Context } from "../../plan/message.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import type { Failure } from "../../session/session.ts";
import type { CallPlace, Decision } from "../engine.ts";
import type { Recorded } from "../isolation.ts";
import type { ModelAnswer } from "../model.ts";
import type { ProducedOutput, Proposal } from "../planning/port.ts";
import type { PromptEvents } from "../prompt.ts";
import type { Direction, HistoryRange } from "../turn.ts";
import type { Outcome } from "./calls/retry.ts";
import type { Beginning } from "./course/begin-run.ts";
import type { RunConfirmation } from "./state/apply-confirmation.ts";
import type { Seed } from "./state/ids.ts";
import type { Termination } from "./state/in-flight.ts";

/** When an input comes in, and what chance adds to it. */
export interface Moment {
  /** Epoch ms. */
  at: number;
  seed: Seed;
}

/** A request to a model, as its events tell it. */
export interface Requested {
  prompt: PromptEvents;
  /** As it is sent, without its instructions. */
  input: Json;
  previous_response_id: string | null;
  /** What the model knows with it of what was said. */
  told: HistoryRange | null;
}

/** Why no plan came. */
export type NoPlan =
  | { kind: "allowance"; message: string; code: string; alert: boolean }
  | { kind: "prompt"; code: string; message: string }
  | { kind: "model"; failure: Failure };

/** All that can happen to a run, as data: what is recorded can be played again. */
export type Input =
  | { kind: "begin"; beginning: Beginning; queued: boolean }
  /**
   * It goes on where the log leaves it. `turn`: its place among its user's turns. `manager`: who has taken the conversation
   * over, where the process before ended between that and its effect.
   */
  | { kind: "recovered"; turn: Turn; manager: string | null }
  | { kind: "wake" }
  /** The events of a step are on disk, and with them how the user's memory changed. */
  | { kind: "committed"; updated: NewEvent | null }
  | { kind: "terminate"; termination: Termination }
  | { kind: "resume"; calls: CallPlace[]; actor: string; held: boolean }
  | { kind: "decide"; confirmation_id: string; decision: Decision }
  /** What is asked is not wanted any more. */
  | { kind: "withdraw"; confirmation_id: string; reason: string }
  | { kind: "tell_escalated"; caused_by: string | null }
  | { kind: "turn_came"; held: boolean }
  | { kind: "turn_held" }
  | { kind: "turn_given_up" }
  | { kind: "time_due" }
  /** `jitter`: from 0 to below 1, for the wait before another try. `aborted`: it says no more than that it was stopped. */
  | { kind: "attempt_ended"; ticket: number; outcome: Outcome; aborted: boolean; jitter: number }
  /** `part`: from 0 to 1; null where nobody knows. */
  | { kind: "attempt_progressed"; ticket: number; part: number | null; message: string | null }
  | { kind: "attempt_timed_out"; ticket: number; jitter: number }
  | { kind: "retry_due"; ticket: number }
  /** An approval that can be used, or what a person wants to know; and what other runs of the user await. */
  | { kind: "approval_found"; ticket: number; grant: string | null; before: JsonObject | null; others: Awaited[] }
  | { kind: "recording_found"; ticket: number; recorded: Recorded | null }
  | { kind: "result_requested"; ticket: number; requested: Requested }
  | { kind: "result_came"; ticket: number; produced: ProducedOutput["produced"]; answer: ModelAnswer }
  | { kind: "result_failed"; ticket: number; why: Exclude<NoPlan, { kind: "prompt" }> }
  | { kind: "plan_requested"; ticket: number; requested: Requested; warnings: string[] | null }
  /** A call has streamed in before its plan was complete. */
  | { kind: "call_streamed"; ticket: number; call: JsonObject; context: Context }
  | { kind: "plan_came"; ticket: number; proposal: Omit<Proposal, "request"> }
  | { kind: "plan_failed"; ticket: number; why: NoPlan }
  | { kind: "directed"; ticket: number; direction: Direction }
  | { kind: "direction_failed"; ticket: number; message: string }
  /** The start of a delegate's call is on disk: its run may be opened. */
  | { kind: "open_delegate"; ticket: number }
  | { kind: "delegate_waits"; call: CallPlace; run_id: string; waiting: boolean }
  | { kind: "delegate_ended"; call: CallPlace; run_id: string };

/** A run's place among its user's turns when it is taken up: it needs none, has it, waits for it, or has not asked. */
export type Turn = "none" | "held" | "queued" | "aside";

/** What another run of the same user awaits a decision on. */
export interface Awaited extends Pick<RunConfirmation, "id" | "key" | "action"> {
  run_id: string;
}
