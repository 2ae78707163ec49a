import type { NewEvent } from "../../../db/repositories.ts";
import { isKnown, type KnownEvent, type SessionEvent } from "../../session/event.ts";
import type { Json } from "../../session/json/json.ts";
import { PREFIX } from "./names.ts";
import { withWrite } from "./state.ts";

/** The reason of a run whose stream broke off, by which it is known that it may go on. */
export const BROKEN_OFF = "broken_off";

/** What has been told of a run. The numbers tell what the next of its kind is called. */
export interface MappedRun {
  parent_run_id: string | null;
  /** The newest event, from which the next one follows. */
  cause: string;
  iteration: number;
  /** A call of the iteration has had its result: the next call begins another one. */
  answered: boolean;
  logs: number;
  writes: number;
  /** How often it broke off. */
  breaks: number;
  ended: boolean;
  /** It ended because its stream broke off. */
  broken: boolean;
  waiting: boolean;
}

/** A call, by its id. */
export interface MappedCall {
  run_id: string;
  tool: string;
  params: Json;
  iteration: number;
  started_by: string;
  ended: boolean;
}

/** What a conversation has been told so far, as far as a stream that goes on needs to know. */
export class MappedState {
  readonly messages = new Set<string>();
  readonly calls = new Map<string, MappedCall>();
  readonly runs = new Map<string, MappedRun>();
  /** Confirmations that wait for a person, with the run that asks. */
  readonly asked = new Map<string, string>();
  /** The state of the thread, which its runs hand on. */
  state: Json = {};
  isEmpty = true;

  /** Takes what was emitted, or read from the log. */
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
        // A run has a state of its own here: what it has from its thread is written when it begins.
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
