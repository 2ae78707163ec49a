import type { NewEvent } from "../../../db/repositories.ts";
import { isKnown, type KnownEvent, type SessionEvent } from "../../session/event.ts";
import type { Json } from "../../session/json/json.ts";
import { PREFIX } from "./names.ts";
import { withWrite } from "./state.ts";

/** The reason of a run whose stream was interrupted, which may be continued. */
export const BROKEN_OFF = "broken_off";

/** What was emitted for a run. The counters are for the next ids. */
export interface MappedRun {
  parent_run_id: string | null;
  /** The newest event, the cause of the next one. */
  cause: string;
  iteration: number;
  /** A call of the iteration has its result: the next call starts another one. */
  answered: boolean;
  logs: number;
  writes: number;
  /** How often its stream was interrupted. */
  breaks: number;
  ended: boolean;
  /** It ended because its stream was interrupted. */
  broken: boolean;
  waiting: boolean;
}

/** A call by its id. */
export interface MappedCall {
  run_id: string;
  tool: string;
  params: Json;
  iteration: number;
  started_by: string;
  ended: boolean;
}

/** What was emitted for a conversation, as far as later streams need it. */
export class MappedState {
  readonly messages = new Set<string>();
  readonly calls = new Map<string, MappedCall>();
  readonly runs = new Map<string, MappedRun>();
  /** Pending confirmations, with the run that requested them. */
  readonly asked = new Map<string, string>();
  /** The state of the thread, which its runs share. */
  state: Json = {};
  isEmpty = true;

  /** Adds an event that was emitted or read from the log. */
  take(event: NewEvent | SessionEvent): void {
    this.isEmpty = false;
    const whole: SessionEvent = { seq: 0, position: 0, recorded_at: "", ...event };
    if (isKnown(whole)) this.fold(whole);
    const run = this.runs.get(event.run_id ?? "");
    if (run) run.cause = event.id;
  }

  private fold(event: KnownEvent): void {
    const run = this.runs.get(event.run_id ?? "");
    switch (event.type) {
      case "message.created":
        this.messages.add(event.payload.message_id);
        return;
      case "run.started":
        if (!run) this.runs.set(event.run_id ?? "", newRun(event));
        // Each run has its own state here: the thread's state is written when it starts.
        if (event.payload.delegate === undefined) this.state = {};
        return;
      case "run.iteration":
        if (run) Object.assign(run, { iteration: run.iteration + 1, answered: false });
        return;
      case "run.waiting":
        if (run) run.waiting = true;
        return;
      case "run.resumed":
        if (run) Object.assign(run, { ended: false, broken: false, waiting: false });
        return;
      case "run.finished":
      case "run.failed":
      case "run.cancelled":
        if (run) end(run, event);
        return;
      case "call.started":
        this.calls.set(event.payload.call_id, {
          run_id: event.run_id ?? "",
          tool: event.payload.tool,
          params: event.payload.params ?? null,
          iteration: event.payload.iteration ?? run?.iteration ?? 0,
          started_by: event.id,
          ended: false,
        });
        return;
      case "call.succeeded":
      case "call.failed":
        return this.endCall(event.payload.call_id);
      case "state.written":
        if (run) run.writes += 1;
        if (event.id.startsWith(PREFIX)) this.state = withWrite(this.state, event.payload);
        return;
      case "confirmation.requested":
        this.asked.set(event.payload.confirmation_id, event.run_id ?? "");
        return;
      case "confirmation.approved":
      case "confirmation.denied":
        this.asked.delete(event.payload.confirmation_id);
        return;
      case "log":
        if (run && event.id.startsWith(PREFIX)) run.logs += 1;
        return;
      default:
        return;
    }
  }

  private endCall(callId: string): void {
    const call = this.calls.get(callId);
    if (!call) return;
    call.ended = true;
    const run = this.runs.get(call.run_id);
    if (run) run.answered = true;
  }
}

function newRun(event: KnownEvent): MappedRun {
  return {
    parent_run_id: event.parent_run_id,
    cause: event.id,
    iteration: 0,
    answered: true,
    logs: 0,
    writes: 0,
    breaks: 0,
    ended: false,
    broken: false,
    waiting: false,
  };
}

function end(
  run: MappedRun,
  event: Extract<KnownEvent, { type: "run.finished" | "run.failed" | "run.cancelled" }>,
): void {
  run.ended = true;
  run.waiting = false;
  run.broken = event.payload.reason === BROKEN_OFF;
  if (run.broken) run.breaks += 1;
}
