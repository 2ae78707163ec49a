import type { PlanProblem } from "../plan/problem.ts";
import type { Call } from "./events/families/call.ts";
import type { Json, JsonObject } from "./json/json.ts";
import type { Failures } from "./timeline/failures.ts";

export type { Call, CallStatus } from "./events/families/call.ts";

/** The status of a conversation, the first that applies: escalated, waiting, running, failed, idle. */
export type ConversationStatus = "idle" | "running" | "waiting" | "escalated" | "failed";

/**
 * The status that the console shows, more specific than `status`. `approved`, `refused`: decided, and the agent has not
 * responded yet. For an idle conversation: its newest run is done, was cancelled or only simulated; the newest message is
 * unanswered; it is a fork that was not run; or it has no runs.
 */
export type ShownConversationStatus =
  | Exclude<ConversationStatus, "idle">
  | "approved"
  | "refused"
  | "no_answer"
  | "not_run"
  | "simulated"
  | "cancelled"
  | "no_runs"
  | "done";

/** The status of a run. */
export type RunStatus = "queued" | "running" | "waiting" | "finished" | "failed" | "cancelled";

/** Replaces a value over 16 kB (E8): the path to fetch it from, and its size in bytes. */
export interface Ref {
  $ref: string;
  bytes: number;
}

export interface Failure {
  code: string;
  message: string;
}

/** The data of a conversation's row in the list, reduced from its events (E4). */
export interface Summary {
  title: string | null;
  /** The first words of the first user message, shown if there is no title. */
  subject: string | null;
  channel: string | null;
  user_id: string | null;
  agent_id: string | null;
  stage: string | null;
  message_count: number;
  event_count: number;
  call_count: number;
  last_seq: number;
  created_at: string | null;
  updated_at: string | null;
  forked_from: { conversation_id: string; seq: number } | null;
  /** The newest message, truncated for the list. */
  preview: { role: string; name: string | null; text: string } | null;
  activity: Activity;
  /** Runs that have not ended, with their status. */
  open_runs: Record<string, "queued" | "running" | "waiting">;
  /** By run id, the running calls of runs whose start was not recorded. Rows of earlier versions lack it. */
  open_calls?: Record<string, string[]>;
  /** Pending confirmations. */
  awaiting: string[];
  /** Decisions that the agent has not responded to yet, the newest 100. */
  unanswered: Unanswered[];
  /** A manager was alerted or has taken over, and has not handed the conversation back. */
  escalated: boolean;
  /** The manager who has taken over, and by which event; null if none has (D11). */
  taken_over: TakenOver | null;
  /** The newest top-level run, whether it only simulates its calls, and how it ended; null while it is active. */
  newest_run: string | null;
  simulated: boolean;
  ended: Extract<RunStatus, "finished" | "failed" | "cancelled"> | null;
  /** A user's message has neither a response nor a run. */
  asked: boolean;
  /** A fork that has not run yet. */
  untouched: boolean;
  failures: Failures;
}

/** A decision after which the run that requested it has recorded nothing. */
export interface Unanswered {
  confirmation_id: string;
  run_id: string | null;
  decision: DecidedStatus;
}

export type DecidedStatus = "approved" | "denied";

/** A takeover of a conversation by a manager (D11). */
export interface TakenOver {
  /** The name in the event, else its actor; null if it has neither. */
  by: string | null;
  at: string;
  seq: number;
}

/** A session's activity in at most 40 bars: the number of events over time, with errors and approvals. */
export interface Activity {
  /** Epoch ms of the first bar's left edge; null if the bars count steps because no event has a time. */
  start: number | null;
  /** The width of a bar in ms, or in steps if `start` is null. */
  width: number;
  /** The number of events per bar. */
  counts: number[];
  /** One letter per bar: `.` none, `w` an approval, `e` an error, `m` a manager. */
  marks: string;
}

export interface Message {
  id: string;
  seq: number;
  role: string;
  content: string | Ref;
  name: string | null;
  run_id: string | null;
  created_at: string | null;
  metadata: JsonObject | null;
}

export interface Run {
  id: string;
  parent_run_id: string | null;
  /** For a delegate's run: the parent's call that it executes. */
  parent_call_id: string | null;
  /** That call's instance; "" if it has none or none is known. */
  parent_instance: string;
  /** For a fork: the source run whose plan this run continues. */
  continues: string | null;
  delegate: string | null;
  agent_id: string | null;
  status: RunStatus;
  /** For a fork: calls return recorded results, or stay planned. */
  simulated: boolean;
  iteration: number;
  started_seq: number;
  ended_seq: number | null;
  started_at: string | null;
  ended_at: string | null;
  error: Failure | string | null;
  reason: string | null;
  /** The event of the newest rendered prompt; its text is fetched on demand. */
  prompt_seq: number | null;
  /** The visited nodes of the main graph (D1), the newest 100 in order; empty if the turn was not directed. */
  stages: Stage[];
  /** The speakers, the newest 100 in order; empty if only its own agent speaks. */
  speakers: Speaking[];
  /** The model usage of the run without its delegates' runs, by model in the order of their responses. */
  usage: Usage[];
  /** State per instance; "" is the run's own if there are no instances. */
  state: Record<string, Json>;
  /** The last writer of each path. */
  writes: Write[];
}

/** The usage of one model, as it reported its tokens. */
export interface Usage {
  /** "" for the rest if there are many. */
  model: string;
  responses: number;
  /** Responses that came without numbers of tokens: the sums do not have theirs. */
  unreported: number;
  input_tokens: number;
  output_tokens: number;
}

/** A run reached a node of the main graph (D1); the event has the conversation state at that time. */
export interface Stage {
  node: string;
  agent_id: string | null;
  seq: number;
}

/** An agent speaks in a directed run from this iteration until another does (D1). */
export interface Speaking {
  agent_id: string;
  /** The node of the main graph that it speaks for. */
  node: string;
  iteration: number;
  seq: number;
}

/** The newest write of a path of the state. */
export interface Write {
  seq: number;
  instance: string;
  /** As in the event: `†state.deal.amount`. */
  path: string;
  call_id: string | null;
  iteration: number;
}

/** An iteration's plan as proposed; `recorded` if none was proposed and the calls were only recorded. */
export interface Plan {
  run_id: string;
  iteration: number;
  recorded: boolean;
  calls: JsonObject[];
  /** What validation knew of its writes beyond the calls' own definitions. */
  outputs: KnownOutput[];
  /** It is invalid, so that none of its calls runs. */
  rejected: boolean;
  /** The first problems that validation found (P16), of `problem_count`. */
  problems: ReportedProblem[];
  problem_count: number;
}

/** A problem as recorded; external agents have their own codes. */
export type ReportedProblem = Omit<PlanProblem, "code"> & { code: string };

/** What the tool or the delegate declares of a call's writes that the call does not state. */
export interface KnownOutput {
  call_id: string;
  /** The keys that `†state` alone stands for (P9). */
  keys?: string[] | undefined;
  /** The paths that its delegate writes back (P27). */
  writes?: string[] | undefined;
}

export interface Confirmation {
  id: string;
  key: string;
  status: "requested" | "approved" | "denied";
  run_id: string | null;
  call_id: string | null;
  iteration: number;
  instance: string;
  cause: "risk" | "interrupted";
  description: string | null;
  action: { method: string; params: Json } | null;
  /** The requested action, if it was edited when it was approved; else null. */
  asked: { method: string; params: Json } | null;
  /** The values that the requested action would replace, by field; a large one may be a `Ref`. Null if unknown. */
  before: JsonObject | null;
  reason: string | null;
  requested_seq: number | null;
  requested_at: string | null;
  decided_seq: number | null;
  decided_at: string | null;
  decided_by: string | null;
  /** Only if several people have to approve it. */
  approvals?: Approvals;
}

/** Who has approved a confirmation that several people have to approve, besides whoever decides it. */
export interface Approvals {
  needed: number;
  given: { by: string; at: string; seq: number }[];
}

/** An inconsistency in the log, or a finding of the agent's self-check. */
export interface Warning {
  seq: number;
  /** The run of the event where it was found. */
  run_id: string | null;
  code:
    | "call_not_started"
    | "call_already_ended"
    | "run_not_started"
    | "run_already_ended"
    | "unreadable_path"
    | "write_below_scalar"
    | "memory_patch_failed"
    | "confirmation_not_requested"
    | "confirmation_already_decided"
    | "unknown_type"
    | "self_check";
  message: string;
}

/** A manager was called. */
export interface Alert {
  seq: number;
  run_id: string | null;
  text: string;
  reason: string | null;
  at: string | null;
}

/** A session after event `at`: the reducer's state (E6). Immutable. */
export interface Session {
  conversation_id: string | null;
  at: number;
  summary: Summary;
  /** The newest 200, oldest first. */
  messages: readonly Message[];
  messages_before: number;
  runs: ReadonlyMap<string, Run>;
  /** The number of older runs that are left out. */
  runs_before: number;
  /** By `planKey(run, iteration)`, in the order proposed. */
  plans: ReadonlyMap<string, Plan>;
  /** By `callKey(run, iteration, instance, id)`, in the order planned or seen. */
  calls: ReadonlyMap<string, Call>;
  calls_before: number;
  /** The model usage of the whole session, by model. */
  usage: readonly Usage[];
  memory: Json;
  /** The conversation state at the newest node of the main graph (D3), a large one as a `Ref`; null before the first. */
  conversation_state: JsonObject | null;
  confirmations: ReadonlyMap<string, Confirmation>;
  alerts: readonly Alert[];
  warnings: readonly Warning[];
}

/** An edge of a plan: a state path that one call may write and another reads (P15). */
export interface PlanEdge {
  from: string;
  to: string;
  paths: string[];
  kind: "branch" | "fallback" | "gate" | "fanout" | "data";
}

/** The response of `GET /api/conversations/:id/view`: a session as plain JSON, which the browser's reducer continues from. */
export interface View {
  conversation_id: string | null;
  at: number;
  last: number;
  status: ConversationStatus;
  stage: string | null;
  summary: Summary;
  messages: Message[];
  messages_before: number;
  runs: Run[];
  runs_before: number;
  /** The newest plan of the newest top-level run, or its calls if none was proposed; null before any call. */
  plan: (Plan & { edges: PlanEdge[] }) | null;
  plans: Plan[];
  calls: Call[];
  calls_before: number;
  /** The model usage of the whole session, by model. */
  usage: Usage[];
  /** The state of the newest top-level run, by instance. */
  state: Record<string, Json>;
  memory: Json;
  /** The conversation state at the newest node of the main graph (D3), a large one as a `Ref`; null before the first. */
  conversation_state: JsonObject | null;
  confirmations: Confirmation[];
  alerts: Alert[];
  warnings: Warning[];
}
