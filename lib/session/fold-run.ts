import type { KnownEvent } from "./event.ts";
import { openAgain } from "./fold-call.ts";
import { foldSpeaker } from "./fold-stage.ts";
import type { Folding } from "./folding.ts";
import { callKey } from "./keys.ts";
import type { Run, RunStatus } from "./session.ts";

type RunEvent = Extract<
  KnownEvent,
  {
    type:
      | "run.started"
      | "run.iteration"
      | "run.waiting"
      | "run.resumed"
      | "run.finished"
      | "run.failed"
      | "run.cancelled";
  }
>;

/** A run starts, goes on, waits or ends. */
export function foldRun(folding: Folding, event: RunEvent): void {
  switch (event.type) {
    case "run.started":
      return startRun(folding, event);
    case "run.iteration": {
      // A given plan is told while its run still waits for its turn (M11).
      const isQueued = folding.runOf(event).status === "queued";
      const run = goOn(folding, event, isQueued ? "queued" : "running");
      run.iteration = event.payload.iteration ?? run.iteration + 1;
      foldSpeaker(run, event);
      return;
    }
    case "run.waiting":
      goOn(folding, event, "waiting");
      return;
    case "run.resumed": {
      const run = folding.runOf(event);
      run.status = event.payload.queued ? "queued" : "running";
      run.ended_seq = null;
      run.ended_at = null;
      run.error = null;
      run.reason = null;
      for (const place of event.payload.calls ?? []) planAgain(folding, event, run, place);
      return;
    }
    case "run.finished":
      return endRun(folding, event, "finished");
    case "run.failed":
      return endRun(folding, event, "failed");
    case "run.cancelled":
      return endRun(folding, event, "cancelled");
    default:
      return event satisfies never;
  }
}

/** The newest prompt of a run, to be fetched from its event when looked at. */
export function foldPrompt(folding: Folding, event: Extract<KnownEvent, { type: "prompt.rendered" }>): void {
  folding.runOf(event).prompt_seq = event.seq;
}

/** A delegate's child run learns which call of its parent it carries out (P27). */
export function foldDelegate(folding: Folding, event: Extract<KnownEvent, { type: "delegate.started" }>): void {
  const run = folding.run(event.run_id ?? "");
  if (!run?.parent_run_id) return;
  run.delegate = event.payload.delegate;
  run.parent_call_id = event.payload.call_id ?? run.parent_call_id;
  run.parent_instance = event.payload.instance ?? run.parent_instance;
}

/** A call of a run that is resumed stands as planned again (P24); what it tried before stays told. */
function planAgain(
  folding: Folding,
  event: RunEvent,
  run: Run,
  place: { call_id: string; iteration?: number | undefined; instance?: string | undefined },
): void {
  const key = callKey(event.run_id, place.iteration ?? run.iteration, place.instance ?? "", place.call_id);
  const call = folding.call(key);
  if (!call) return;
  if (call.status === "failed" && call.ended_seq !== null) {
    const { ended_seq: seq, ended_at: at, error, reason } = call;
    call.tries = [...call.tries, { seq, at, attempt: call.tries.length + 1, error, reason, delay_ms: null }];
  }
  openAgain(call);
  call.status = "planned";
  call.started_seq = null;
  call.started_at = null;
}

/** A model asked in a run that is over by the log counts as its iteration: spans come late, and clocks differ. */
export function foldLateRequest(folding: Folding, event: Extract<KnownEvent, { type: "model.requested" }>): void {
  const { iteration = 0 } = event.payload;
  const before = folding.root.runs.get(event.run_id ?? "");
  if (!before || before.ended_seq === null || before.iteration >= iteration) return;
  const run = folding.run(before.id);
  if (run) run.iteration = iteration;
}

function startRun(folding: Folding, event: Extract<RunEvent, { type: "run.started" }>): void {
  const run = folding.run(event.run_id ?? "") ?? folding.addRun(event.run_id ?? "", event);
  run.status = event.payload.queued ? "queued" : "running";
  // Its end may have been told before.
  run.ended_seq = null;
  run.ended_at = null;
  run.error = null;
  run.reason = null;
  run.simulated = event.payload.simulated ?? false;
  run.continues = event.payload.continues ?? null;
  run.iteration = event.payload.iteration ?? run.iteration;
  run.delegate = event.payload.delegate ?? run.delegate;
  run.parent_run_id = event.parent_run_id ?? run.parent_run_id;
  run.parent_call_id = event.payload.call_id ?? run.parent_call_id;
  run.parent_instance = event.payload.instance ?? run.parent_instance;
  run.agent_id = event.agent_id ?? run.agent_id;
}

function goOn(folding: Folding, event: RunEvent, status: RunStatus): Run {
  const run = folding.runOf(event);
  if (run.ended_seq === null) run.status = status;
  else warnEnded(folding, event);
  return run;
}

function endRun(folding: Folding, event: RunEvent, status: RunStatus): void {
  const run = folding.runOf(event);
  if (run.ended_seq !== null) return warnEnded(folding, event);
  run.status = status;
  run.ended_seq = event.seq;
  run.ended_at = event.occurred_at;
  run.error = event.payload.error ?? null;
  run.reason = event.payload.reason ?? null;
}

function warnEnded(folding: Folding, event: RunEvent): void {
  folding.warn(event, "run_already_ended", `The run ${event.run_id} had ended before this ${event.type}`);
}
