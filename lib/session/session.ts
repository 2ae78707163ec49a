import type { PlanProblem } from "../plan/problem.ts";
import type { Call } from "./families/call.ts";
import type { Json, JsonObject } from "./json/json.ts";
import type { Failures } from "./timeline/failures.ts";

export type { Call, CallStatus } from "./families/call.ts";

/** What a conversation is doing, the first that applies: escalated, waiting, running, failed, idle. */
export type ConversationStatus = "idle" | "running" | "waiting" | "escalated" | "failed";

/**
 * How a conversation is shown: its status, or what that means. `approved`, `refused`: a person has decided, and the agent
 * has not answered. Of an idle one: its newest run is done, was cancelled or only simulated; nobody answered the newest
 * message; it is a fork that was not run; or it never had a run.
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

/** What one run is doing. */
export type RunStatus = "queued" | "running" | "waiting" | "finished" | "failed" | "cancelled";

/** Stands for a value over 16 kB (E8): the address to fetch it from, and its size in bytes. */
export interface Ref {
  $ref: string;
  bytes: number;
}

export interface Failure {
  code: string;
  message: string;
}

/** The row of the conversation list, folded from the log as events arrive (E4). */
export interface Summary {
  title: string | null;
  /** The first words of the first user message: what to show where there is no title. */
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
  /** The newest message, cut to what a row shows. */
  preview: { role: string; name: string | null; text: string } | null;
  activity: Activity;
  /** Runs that have not ended, with what they are doing. */
  open_runs: Record<string, "queued" | "running" | "waiting">;
  /** Confirmations that await a decision. */
  awaiting: string[];
  /** Decisions to which the agent has not answered yet, the newest 100. */
  unanswered: Unanswered[];
  /** A manager was alerted or has taken over, and has not handed back. */
  escalated: boolean;
  /** The manager who answers instead of the agent, and since which event; null while none does (D11). */
  taken_over: TakenOver | null;
  /** The newest top-level run, whether it only simulates its calls, and how it ended; null while it goes on. */
  newest_run: string | null;
  simulated: boolean;
  ended: Extract<RunStatus, "finished" | "failed" | "cancelled"> | null;
  /** A user's message has neither an answer nor a run. */
  asked: boolean;
  /** A fork in which nothing has run yet. */
  untouched: boolean;
  failures: Failures;
}

/** A person has decided, and nothing has come of the run that asked since. */
export interface Unanswered {
  confirmation_id: string;
  run_id: string | null;
  decision: DecidedStatus;
}

export type DecidedStatus = "approved" | "denied";

/** A manager has taken a conversation over (D11). */
export interface TakenOver {
  /** The name that the event tells, else its actor; null where it tells neither. */
  by: string | null;
  at: string;
  seq: number;
}

/** A session's shape in at most 40 bars: how much happened when, and what stood out. */
export interface Activity {
  /** Epoch ms of the first bar's left edge; null when the bars count steps because no event tells a time. */
  start: number | null;
  /** What one bar covers: milliseconds, or steps where `start` is null. */
  width: number;
  /** Events in each bar. */
  counts: number[];
  /** One letter a bar: `.` nothing special, `w` an approval, `e` an error, `m` a manager. */
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
  /** The call of the parent that this run carries out, when it is a delegate's. */
  parent_call_id: string | null;
  /** That call's instance; "" where it has none or none was told. */
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
  /** The newest rendered prompt's event, to be fetched when looked at. */
  prompt_seq: number | null;
  /** The nodes of the main graph that it came to (D1), the newest 100 in order; none where it was not directed. */
  stages: Stage[];
  /** Who has spoken in it, the newest 100 in order; none where its agent speaks all along. */
  speakers: Speaking[];
  /** What models were asked in it, its delegates' runs left out, by model in the order they answered. */
  usage: Usage[];
  /** State per instance; "" is the run's own when there are no instances. */
  state: Record<string, Json>;
  /** Who wrote each path last. */
  writes: Write[];
}

/** What one model was asked, by what it said of its tokens. */
export interface Usage {
  /** "" for what is left over where there are many. */
  model: string;
  responses: number;
  input_tokens: number;
  output_tokens: number;
}

/** A run came to a node of the main graph (D1); the conversation state by then is in the event. */
export interface Stage {
  node: string;
  agent_id: string | null;
  seq: number;
}

/** An agent speaks in a directed run from an iteration on, until another does (D1). */
export interface Speaking {
  agent_id: string;
  /** The node of the main graph for which it speaks. */
  node: string;
  iteration: number;
  seq: number;
}

/** The newest write of a path of the state. */
export interface Write {
  seq: number;
  instance: string;
  /** As the event has it: `†state.deal.amount`. */
  path: string;
  call_id: string | null;
  iteration: number;
}

/** One iteration's plan as it was proposed; `recorded` when nobody proposed one and the calls just happened. */
export interface Plan {
  run_id: string;
  iteration: number;
  recorded: boolean;
  calls: JsonObject[];
  /** What its validation knew of its writes beyond the calls' own words. */
  outputs: KnownOutput[];
  /** It was found not to hold, so that none of its calls runs. */
  rejected: boolean;
  /** What its validation found (P16), the first of `problem_count`. */
  problems: ReportedProblem[];
  problem_count: number;
}

/** A problem as an event tells it; agents from outside have codes of their own. */
export type ReportedProblem = Omit<PlanProblem, "code"> & { code: string };

/** What a tool or a delegate tells of a call's writes that the call itself does not say. */
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
  /** The action as it was asked, where the person who approved it edited it; else null. */
  asked: { method: string; params: Json } | null;
  /** The values that the action as it was asked would replace, by field; a large one may be a `Ref`. Null where none are told. */
  before: JsonObject | null;
  reason: string | null;
  requested_seq: number | null;
  requested_at: string | null;
  decided_seq: number | null;
  decided_at: string | null;
  decided_by: string | null;
}

/** Something in the log that cannot be, or that the agent's self-check said. */
export interface Warning {
  seq: number;
  /** The run of the event at which it was found. */
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

/** A session as it stood after event `at`: what the reducer folds (E6). Never changed in place. */
export interface Session {
  conversation_id: string | null;
  at: number;
  summary: Summary;
  /** The newest 200, oldest first. */
  messages: readonly Message[];
  messages_before: number;
  runs: ReadonlyMap<string, Run>;
  /** Runs left out because many newer ones came after them. */
  runs_before: number;
  /** By `planKey(run, iteration)`, in the order proposed. */
  plans: ReadonlyMap<string, Plan>;
  /** By `callKey(run, iteration, instance, id)`, in the order planned or seen. */
  calls: ReadonlyMap<string, Call>;
  calls_before: number;
  /** What models were asked in all of it, by model. */
  usage: readonly Usage[];
  memory: Json;
  /** The conversation state at the newest node that a turn came to (D3), a large one as a `Ref`; null before any. */
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

/** The answer of `GET /api/conversations/:id/view`: a session as plain JSON, from which the browser folds on. */
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
  /** The newest top-level run's newest plan, or its calls where nobody proposed one; null before any call. */
  plan: (Plan & { edges: PlanEdge[] }) | null;
  plans: Plan[];
  calls: Call[];
  calls_before: number;
  /** What models were asked in all of it, by model. */
  usage: Usage[];
  /** The state of the newest top-level run, by instance. */
  state: Record<string, Json>;
  memory: Json;
  /** The conversation state at the newest node that a turn came to (D3), a large one as a `Ref`; null before any. */
  conversation_state: JsonObject | null;
  confirmations: Confirmation[];
  alerts: Alert[];
  warnings: Warning[];
}
