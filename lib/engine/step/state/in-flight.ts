import type { Failure } from "../../../session/session.ts";
import type { Run } from "../run.ts";
import type { RunCall } from "./run-call.ts";

/** A call that is ready and starts as soon as a slot is free. */
export interface PendingStart {
  call: RunCall;
  /** Its own tool, or the one that an operator approved instead. */
  tool: string;
  params: NonNullable<RunCall["params"]>;
  /** The approval that this start uses (P22a). */
  confirmation_id: string | null;
  /** The event that made it ready. */
  caused_by: string | null;
}

/** A running attempt of a call. */
export interface InFlightCall {
  kind: "activity" | "delegate" | "caller" | "retry" | "approval" | "recording";
  /** Identifies the attempt in its result. */
  ticket: number;
  /** It holds no slot: its delegate's run waits for an operator, its caller carries it out, or it started early and ended before it was due. */
  waiting: boolean;
  /** The delegate's run, once started. */
  child: Run | null;
}

/** Why a run ends before its calls have ended. */
export interface Termination {
  reason: string;
  /** The failure. Null: it is cancelled, or finished because it was escalated. */
  error: Failure | null;
  /** It was escalated to a manager (D9). */
  escalated?: true;
  actor: string;
  /** Calls that are running may still complete. */
  gently: boolean;
}
