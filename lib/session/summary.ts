import { addActivity, emptyActivity } from "./activity.ts";
import { isBookmarking } from "./bookmarks.ts";
import { isKnown, type KnownEvent, type SessionEvent } from "./event.ts";
import { stepOf } from "./event-index-columns.ts";
import { countFailure, NO_FAILURES } from "./failures.ts";
import { FORKED, SHADOW } from "./run-reasons.ts";
import type { ConversationStatus, DecidedStatus, ShownConversationStatus, Summary, Unanswered } from "./session.ts";

const SUBJECT_LENGTH = 120;
const PREVIEW_LENGTH = 160;

export function emptySummary(): Summary {
  return {
    title: null,
    subject: null,
    channel: null,
    user_id: null,
    agent_id: null,
    stage: null,
    message_count: 0,
    event_count: 0,
    call_count: 0,
    last_seq: 0,
    created_at: null,
    updated_at: null,
    forked_from: null,
    preview: null,
    activity: emptyActivity(),
    open_runs: {},
    awaiting: [],
    unanswered: [],
    escalated: false,
    taken_over: null,
    newest_run: null,
    simulated: false,
    ended: null,
    asked: false,
    untouched: false,
    failures: NO_FAILURES,
  };
}

/** Folds one event into a conversation's row of the list (E4). Pure; the summary handed in stays as it was. */
export function summarize(summary: Summary, event: SessionEvent): Summary {
  const at = earlier(event.occurred_at ?? event.recorded_at, event.recorded_at);
  const counted = { ...summary, event_count: summary.event_count + 1, last_seq: event.seq };
  // Nothing has happened by it: the conversation keeps its place in the list.
  if (isBookmarking(event.type) && summary.updated_at !== null) return counted;
  const { failures, error } = countFailure(summary.failures, stepOf(event));
  const next: Summary = {
    ...counted,
    failures,
    unanswered: summary.unanswered.filter((decided) => !isAnswer(event, decided)),
    created_at: summary.created_at ?? at,
    updated_at: summary.updated_at === null || summary.updated_at < at ? at : summary.updated_at,
    agent_id: summary.agent_id ?? event.agent_id,
    activity: addActivity(
      summary.activity,
      event.seq,
      event.occurred_at === null ? null : Date.parse(event.occurred_at),
      markOf(event.type, error),
    ),
  };
  if (isKnown(event)) summarizeKnown(next, event);
  return next;
}

/** What a conversation is doing: the first that applies of escalated, waiting, running, failed, idle. */
export function statusOf(summary: Summary): ConversationStatus {
  if (summary.escalated) return "escalated";
  const runs = Object.values(summary.open_runs);
  if (summary.awaiting.length > 0 || runs.includes("waiting")) return "waiting";
  if (runs.length > 0) return "running";
  return summary.ended === "failed" ? "failed" : "idle";
}

/** How a conversation is shown that stands like this: the one place for the list, the studio and the API. */
export function shownStatusOf(summary: Summary): ShownConversationStatus {
  const status = statusOf(summary);
  const decision = summary.unanswered.at(-1)?.decision;
  if (decision !== undefined && (status === "running" || status === "idle"))
    return decision === "approved" ? "approved" : "refused";
  if (status !== "idle") return status;
  if (summary.asked && summary.newest_run !== null) return "no_answer";
  if (summary.untouched) return "not_run";
  if (summary.newest_run === null) return summary.call_count === 0 ? "no_runs" : "done";
  if (summary.ended === "cancelled") return "cancelled";
  return summary.simulated ? "simulated" : "done";
}

function summarizeKnown(next: Summary, event: KnownEvent): void {
  switch (event.type) {
    case "conversation.created":
      next.title = event.payload.title ?? next.title;
      next.channel = event.payload.channel ?? next.channel;
      next.user_id = event.payload.user_id ?? next.user_id;
      next.agent_id = event.payload.agent_id ?? next.agent_id;
      if (event.payload.forked_from) {
        next.forked_from = event.payload.forked_from;
        // What was asked before is the source's to answer.
        next.asked = false;
        next.untouched = true;
      }
      return;
    case "conversation.titled":
      next.title = event.payload.title;
      return;
    case "conversation.taken_over":
      next.escalated = true;
      next.taken_over = {
        by: event.payload.by ?? event.actor,
        at: event.occurred_at ?? event.recorded_at,
        seq: event.seq,
      };
      return;
    case "manager.alerted":
      next.escalated = true;
      return;
    case "conversation.handed_back":
      next.escalated = false;
      next.taken_over = null;
      return;
    case "message.created":
      summarizeMessage(next, event);
      return;
    case "run.started":
      next.open_runs = withRun(next, event, event.payload.queued ? "queued" : "running");
      next.asked = false;
      // What holds a fork's edits is no run of its own.
      if (event.payload.reason !== FORKED) next.untouched = false;
      if (event.parent_run_id === null) {
        next.newest_run = event.run_id;
        next.simulated = event.payload.simulated === true;
        next.ended = null;
      }
      return;
    case "run.resumed":
      // A run that had failed goes on (P24).
      next.open_runs = withRun(next, event, event.payload.queued ? "queued" : "running");
      if (event.run_id === next.newest_run) next.ended = null;
      return;
    case "run.iteration":
      if (isOpen(next, event.run_id) && next.open_runs[event.run_id ?? ""] !== "queued")
        next.open_runs = withRun(next, event, "running");
      return;
    case "run.waiting":
      if (isOpen(next, event.run_id)) next.open_runs = withRun(next, event, "waiting");
      return;
    case "run.finished":
      return end(next, event, "finished");
    case "run.cancelled":
      return end(next, event, "cancelled");
    case "run.failed":
      return end(next, event, "failed");
    case "stage.changed":
      next.stage = event.payload.to;
      return;
    case "call.started":
      next.call_count += (event.payload.attempt ?? 1) > 1 ? 0 : 1;
      return;
    case "confirmation.requested":
      if (
        !next.awaiting.includes(event.payload.confirmation_id) &&
        hasRoom(event, next.awaiting.length, MOST_OPEN.awaiting)
      )
        next.awaiting = [...next.awaiting, event.payload.confirmation_id];
      return;
    case "confirmation.approved":
      return decide(next, event, "approved");
    case "confirmation.denied":
      return decide(next, event, "denied");
    default:
      return;
  }
}

type RunEnd = Extract<KnownEvent, { type: "run.finished" | "run.cancelled" | "run.failed" }>;

function end(next: Summary, { run_id, payload }: RunEnd, ended: Exclude<Summary["ended"], null>): void {
  next.open_runs = withoutRun(next, run_id);
  if (run_id === null || run_id !== next.newest_run) return;
  next.ended = ended;
  next.simulated ||= payload.reason === SHADOW;
}

function summarizeMessage(next: Summary, event: Extract<KnownEvent, { type: "message.created" }>): void {
  const { role, content, name } = event.payload;
  next.message_count += 1;
  // What is said within a run has its answer in it.
  if (role !== "system")
    next.asked = role === "user" && !isOpen(next, event.run_id) && (event.run_id ?? "") !== next.newest_run;
  const text = oneLine(content);
  if (role === "user") {
    next.subject ??= cut(text, SUBJECT_LENGTH) || null;
    if (event.actor?.startsWith("user:")) next.user_id ??= event.actor.slice("user:".length);
  }
  if (text !== "" && role !== "system") next.preview = { role, name: name ?? null, text: cut(text, PREVIEW_LENGTH) };
}

type Decided = Extract<KnownEvent, { type: "confirmation.approved" | "confirmation.denied" }>;

/** As many as are kept; of an agent that never answers there may be any number. */
const UNANSWERED = 100;

function decide(next: Summary, { run_id, payload }: Decided, decision: DecidedStatus): void {
  const { confirmation_id } = payload;
  if (!next.awaiting.includes(confirmation_id)) return;
  next.awaiting = next.awaiting.filter((id) => id !== confirmation_id);
  // Nobody decided what the end of its run closed (P24), and of a turn that is over nobody answers any more.
  const isOver =
    payload.decided_by === "system" || (run_id !== null && run_id === next.newest_run && !isOpen(next, run_id));
  if (!isOver) next.unanswered = [...next.unanswered.slice(1 - UNANSWERED), { confirmation_id, run_id, decision }];
  // What waited for people waits for its agent now.
  if (next.awaiting.length === 0)
    next.open_runs = Object.fromEntries(
      Object.entries(next.open_runs).map(([id, status]) => [id, status === "waiting" ? "running" : status]),
    );
}

/** Whether the agent has gone on since: with the run that asked, or with anything where none did. */
function isAnswer(event: SessionEvent, { run_id }: Pick<Unanswered, "run_id">): boolean {
  if (event.type === "confirmation.approved" || event.type === "confirmation.denied") return false;
  if (run_id !== null) return event.run_id === run_id || event.parent_run_id === run_id;
  return !event.type.startsWith("conversation.") && !/^(user|operator)\b/.test(event.actor ?? "");
}

function isOpen(summary: Summary, runId: string | null): boolean {
  return runId !== null && Object.hasOwn(summary.open_runs, runId);
}

/**
 * As many open runs and confirmations are kept of programs: each event of theirs copies them, which took 1.2 ms at up to 6,800 runs
 * that nobody had ended. What this server's engine has open is bounded by the engine, and taken up by what stands here.
 */
const MOST_OPEN = { runs: 200, awaiting: 1_000 } as const;

function hasRoom({ recorded_by }: Pick<SessionEvent, "recorded_by">, open: number, most: number): boolean {
  return open < most || recorded_by === "engine";
}

function withRun(
  summary: Summary,
  event: Pick<SessionEvent, "run_id" | "recorded_by">,
  status: Summary["open_runs"][string],
): Summary["open_runs"] {
  const { open_runs } = summary;
  const isKept = isOpen(summary, event.run_id) || hasRoom(event, Object.keys(open_runs).length, MOST_OPEN.runs);
  return event.run_id === null || !isKept ? open_runs : { ...open_runs, [event.run_id]: status };
}

function withoutRun(summary: Summary, runId: string | null): Summary["open_runs"] {
  if (runId === null || !Object.hasOwn(summary.open_runs, runId)) return summary.open_runs;
  const { [runId]: _ended, ...rest } = summary.open_runs;
  return rest;
}

function markOf(type: string, error: boolean): string {
  if (type === "manager.alerted" || type === "conversation.taken_over") return "m";
  if (error) return "e";
  return type === "call.parked" || type === "confirmation.requested" ? "w" : ".";
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

// A row shows its first words: looking at more of a long text than they can come from would cost for nothing.
const LOOK_AHEAD = 1_000;

function oneLine(text: string): string {
  return text.slice(0, LOOK_AHEAD).replace(/\s+/gu, " ").trim();
}

/** Cuts between code points, with an ellipsis in place of what is gone. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const points = Array.from(text.slice(0, length * 2));
  return points.length <= length
    ? text
    : `${points
        .slice(0, length - 1)
        .join("")
        .trimEnd()}…`;
}
