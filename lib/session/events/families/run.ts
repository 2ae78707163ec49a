import type { EventOf } from "../../event.ts";
import { cite } from "../../json/cite.ts";
import { callKey } from "../../keys.ts";
import type { Folding } from "../../reducer/folding.ts";
import { isOpen, withoutCalls, withoutRun, withRun } from "../../runs/open-runs.ts";
import { FORKED, SHADOW } from "../../runs/run-reasons.ts";
import type { Run, RunStatus, Stage, Summary } from "../../session.ts";
import { openAgain } from "./call.ts";
import { callColumns, type EventDefinition, type Family, PLACE, RECORDED } from "./family.ts";

type RunType =
  | "run.started"
  | "run.iteration"
  | "run.waiting"
  | "run.resumed"
  | "run.finished"
  | "run.failed"
  | "run.cancelled";

/** For runs elsewhere: only the engine writes own runs, as storage ensures. */
const RUN = {
  ...RECORDED,
  steers: true,
  authority: "ingest",
  structure: { ...PLACE, error: "failure", delegate: "kept", mode: "kept" },
} as const satisfies Partial<EventDefinition<RunType>>;

const SPEAKER = {
  of: {
    agent_id: "kept",
    agent_version: "kept",
    node: "kept",
    instructions: { put: "" },
    allowed_tools: "kept",
    mode: "kept",
    history: { of: { source: "kept", locale: "kept" } },
    max_iterations: "kept",
    silent: "kept",
  },
} as const;

/** The events of a run's lifecycle. Their content is the same in all conversations of an agent, and is not indexed. */
export const RUN_EVENTS = {
  "run.started": {
    ...RUN,
    stop: "run",
    structure: {
      ...RUN.structure,
      confirm: "kept",
      concurrency: "kept",
      max_iterations: "kept",
      budget: "kept",
      allowed_tools: "kept",
      queued: "kept",
      simulated: "kept",
      continues: "id",
      answers: "id",
      directed: "kept",
      agent_version: "kept",
      locale: "kept",
    },
    columns: ({ iteration = null }) => ({ iteration }),
    unsearched: ["instructions", "tools", "allowed_tools", "output_schema", "history"],
    fold: startRun,
    summarize: summarizeStart,
  },
  "run.iteration": {
    ...RUN,
    structure: { ...RUN.structure, speaker: SPEAKER },
    columns: ({ iteration = null }) => ({ iteration }),
    unsearched: ["speaker"],
    fold(folding, event) {
      // A given plan is recorded while its run is queued (M11).
      const isQueued = folding.runOf(event).status === "queued";
      const run = goOn(folding, event, isQueued ? "queued" : "running");
      run.iteration = event.payload.iteration ?? run.iteration + 1;
      foldSpeaker(run, event);
    },
    summarize(next, event) {
      if (isOpen(next, event.run_id) && next.open_runs[event.run_id ?? ""] !== "queued")
        next.open_runs = withRun(next, event, "running");
    },
  },
  "run.waiting": {
    ...RUN,
    fold(folding, event) {
      goOn(folding, event, "waiting");
    },
    summarize(next, event) {
      if (isOpen(next, event.run_id)) next.open_runs = withRun(next, event, "waiting");
    },
  },
  "run.resumed": {
    ...RUN,
    structure: { ...RUN.structure, calls: { each: PLACE }, queued: "kept" },
    fold: resumeRun,
    summarize(next, event) {
      // A failed run is resumed (P24).
      next.open_runs = withRun(next, event, event.payload.queued ? "queued" : "running");
      if (event.run_id === next.newest_run) next.ended = null;
    },
  },
  "run.finished": {
    ...RUN,
    fold: (folding, event) => endRun(folding, event, "finished"),
    summarize: (summary, event) => summarizeEnd(summary, event, "finished"),
  },
  "run.failed": {
    ...RUN,
    columns: () => ({ error: true }),
    fold: (folding, event) => endRun(folding, event, "failed"),
    summarize: (summary, event) => summarizeEnd(summary, event, "failed"),
  },
  "run.cancelled": {
    ...RUN,
    fold: (folding, event) => endRun(folding, event, "cancelled"),
    summarize: (summary, event) => summarizeEnd(summary, event, "cancelled"),
  },
} as const satisfies Family<RunType>;

/** A turn that the main graph directs reaches a node, and the conversation a stage (D1). */
export const STAGE_EVENTS = {
  "stage.entered": {
    ...RECORDED,
    authority: "ingest",
    structure: { node: "kept", agent_id: "kept" },
    fold: foldStage,
  },
  "stage.changed": {
    ...RECORDED,
    authority: "ingest",
    structure: { from: "kept", to: "kept" },
    summarize(next, { payload }) {
      next.stage = payload.to;
    },
  },
} as const satisfies Family<"stage.entered" | "stage.changed">;

const DELEGATE = {
  ...RECORDED,
  authority: "ingest",
  structure: { delegate: "kept", ...PLACE, error: "failure" },
  columns: callColumns,
} as const satisfies Partial<EventDefinition<"delegate.started">>;

/** The ends of a delegate that are no failures: escalation and cancellation. */
const STOPPED: ReadonlySet<string> = new Set(["escalated", "cancelled"]);

/** A run executes a call of another run (P27). */
export const DELEGATE_EVENTS = {
  "delegate.started": { ...DELEGATE, steers: true, fold: foldDelegate },
  "delegate.finished": {
    ...DELEGATE,
    columns: (payload) => ({
      ...callColumns(payload),
      error: payload.error !== undefined && !STOPPED.has(payload.error.code),
    }),
  },
} as const satisfies Family<"delegate.started" | "delegate.finished">;

function startRun(folding: Folding, event: EventOf<"run.started">): void {
  const run = folding.run(event.run_id ?? "") ?? folding.addRun(event.run_id ?? "", event);
  run.status = event.payload.queued ? "queued" : "running";
  // Its end may have been recorded before.
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

function goOn(folding: Folding, event: EventOf<RunType>, status: RunStatus): Run {
  const run = folding.runOf(event);
  if (run.ended_seq === null) run.status = status;
  else warnEnded(folding, event);
  return run;
}

function endRun(folding: Folding, event: EventOf<RunType>, status: RunStatus): void {
  const run = folding.runOf(event);
  if (run.ended_seq !== null) return warnEnded(folding, event);
  run.status = status;
  run.ended_seq = event.seq;
  run.ended_at = event.occurred_at;
  run.error = event.payload.error ?? null;
  run.reason = event.payload.reason ?? null;
}

function warnEnded(folding: Folding, event: EventOf<RunType>): void {
  folding.warn(event, "run_already_ended", `The run ${event.run_id} had already ended before this ${event.type}`);
}

function resumeRun(folding: Folding, event: EventOf<"run.resumed">): void {
  const run = folding.runOf(event);
  run.status = event.payload.queued ? "queued" : "running";
  run.ended_seq = null;
  run.ended_at = null;
  run.error = null;
  run.reason = null;
  for (const place of event.payload.calls ?? []) planAgain(folding, event, run, place);
}

/** A call of a resumed run is planned again (P24); its earlier attempts stay recorded. */
function planAgain(
  folding: Folding,
  event: EventOf<RunType>,
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

/** Links a delegate's run to its parent's call (P27). */
function foldDelegate(folding: Folding, event: EventOf<"delegate.started">): void {
  const run = folding.run(event.run_id ?? "");
  if (!run?.parent_run_id) return;
  run.delegate = event.payload.delegate;
  run.parent_call_id = event.payload.call_id ?? run.parent_call_id;
  run.parent_instance = event.payload.instance ?? run.parent_instance;
}

/** The maximum number of nodes and speakers kept of a run (E8): a turn has a handful. */
const KEPT = 100;

/** A turn reaches a node of the main graph, with its conversation state (D1, D3). */
function foldStage(folding: Folding, event: EventOf<"stage.entered">): void {
  const { node, agent_id, state } = event.payload;
  const run = folding.runOf(event);
  const stage: Stage = { node, agent_id: agent_id ?? null, seq: event.seq };
  run.stages = [...run.stages.slice(1 - KEPT), stage];
  folding.root.conversation_state = state ? cite(event, "/state", state) : null;
}

/** Another agent speaks from this iteration on, or the same one again (D1). */
function foldSpeaker(run: Run, event: EventOf<"run.iteration">): void {
  const { speaker } = event.payload;
  if (!speaker) return;
  const { agent_id, node } = speaker;
  run.speakers = [...run.speakers.slice(1 - KEPT), { agent_id, node, iteration: run.iteration, seq: event.seq }];
}

function summarizeStart(next: Summary, event: EventOf<"run.started">): void {
  next.open_runs = withRun(next, event, event.payload.queued ? "queued" : "running");
  next.asked = false;
  // A run that only holds a fork's edits is not a real run.
  if (event.payload.reason !== FORKED) next.untouched = false;
  if (event.parent_run_id !== null) return;
  next.newest_run = event.run_id;
  next.simulated = event.payload.simulated === true;
  next.ended = null;
}

function summarizeEnd(
  next: Summary,
  { run_id, payload }: EventOf<"run.finished" | "run.cancelled" | "run.failed">,
  ended: Exclude<Summary["ended"], null>,
): void {
  next.open_runs = withoutRun(next, run_id);
  next.open_calls = withoutCalls(next, run_id);
  if (run_id === null || run_id !== next.newest_run) return;
  next.ended = ended;
  next.simulated ||= payload.reason === SHADOW;
}
