import type { Failure } from "../../../session/session.ts";
import type { Run } from "../run.ts";
import type { RunCall } from "./run-call.ts";

/** A call that can start as soon as there is a slot. */
export interface PendingStart {
  call: RunCall;
  /** Its own, or the one that a person approved instead. */
  tool: string;
  params: NonNullable<RunCall["params"]>;
  /** The approval that this start uses up (P22a). */
  confirmation_id: string | null;
  /** The event that brought its turn about. */
  caused_by: string | null;
}

/** What is under way for a call. */
export interface InFlightCall {
  kind: "activity" | "delegate" | "retry" | "approval" | "recording";
  /** What comes back of it names this. */
  ticket: number;
  /** It holds no slot: its delegate's run waits for a person, or it started early and is done before its turn. */
  waiting: boolean;
  /** The delegate's run, once it has begun. */
  child: Run | null;
}

/** Why a run is brought to its end before its calls have ended. */
export interface Termination {
  reason: string;
  /** It fails by this. Null: it is cancelled, or finished where a manager was called. */
  error: Failure | null;
  /** A manager was called (D9). */
  escalated?: true;
  actor: string;
  /** What runs may still come to its own end. */
  gently: boolean;
}
