import type { PlanProblem } from "../plan/problem.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import type { Locale } from "../session/locale.ts";
import type { Failure, PlanEdge } from "../session/session.ts";
import type { HistorySettings } from "./prompt.ts";
import type { ToolDefinition } from "./tools/tool-definition.ts";

/** A plan with the tools and the context that it is validated against. */
export interface PlanRequest {
  plan: JsonObject[];
  /** Tools of the request; they override those of the server (P2a). */
  tools: ToolDefinition[];
  /** Messages in any accepted format (P14a). */
  context: JsonObject[];
}

/** `canary`: calls that only read or create are run, the others stay planned (M13). */
export type RunMode = "execute" | "confirm" | "canary" | "shadow";

/** The budget of a run, its delegates included. */
export interface Budget {
  calls?: number | undefined;
  tokens?: number | undefined;
  time_ms?: number | undefined;
}

/** A request to start a run. */
export interface RunRequest extends Omit<PlanRequest, "plan"> {
  /** Null: a model plans each iteration (P19). */
  plan: JsonObject[] | null;
  mode: RunMode;
  /** Tools that require approval in the mode `confirm`; an empty list means all (P22). */
  confirm: string[];
  /** Null: a new conversation is created. */
  conversation_id: string | null;
  user_id: string | null;
  agent_id: string | null;
  /** The version of its definition, as the run is recorded with it. */
  agent_version?: string | undefined;
  /** The limit of concurrent calls; null for the default. */
  concurrency: number | null;
  max_iterations: number | null;
  budget: Budget;
  /** The JSON Schema of the run's output (P19); null for any output. */
  output_schema: Json | null;
  /** By default a new one. A run begins once: `start` refuses a second one of the same id. */
  run_id?: string | undefined;
  /** The run of the same fork whose plan it continues (E9). */
  continues?: string | undefined;
  /** Null if the run answers no user. */
  turn: Turn | null;
}

/** A turn: a user's message that an agent answers with a run, with the agent's current definition (D12). */
export interface Turn {
  /** The run's id; it identifies a message that is sent again. */
  run_id: string;
  message: { id: string; content: string };
  /** The agent's instructions, before their placeholders are filled in (H1); null if the director chooses the speaker (D1). */
  instructions: string | null;
  history: HistorySettings;
  /** The user's IANA time zone; null for the system's. */
  timezone: string | null;
  household_id: string | null;
  /** The tools that the agent may use; null for all. */
  tools: string[] | null;
  locale: Locale;
}

/** The result of validation (P16). `ok` if no problem is an error. */
export interface Validation {
  ok: boolean;
  problems: PlanProblem[];
  graph: { nodes: { id: string; tool: string }[]; edges: PlanEdge[] };
}

/** A decision on a confirmation (P22, P23). */
export interface Decision {
  decision: "approve" | "deny";
  reason: string | null;
  /** Edited parameters, or another call. */
  action: { method: string; params: JsonObject } | null;
  /**
   * The result of an interrupted call, as the operator found it; undefined for none. `{"_path": "†state.error",
   * "value": …}` chooses where it is written, as an activity may (P10).
   */
  result: Json | undefined;
  /** `operator:…` */
  actor: string;
}

/** A call of a run (P19b). */
export interface CallPlace {
  call_id: string;
  iteration: number;
  instance: string;
}

/** A call of a turn that the program which started it carries out. */
export interface AskedCall {
  call_id: string;
  tool: string;
  params: JsonObject;
}

/** Its result, or why there is none. */
export interface CallAnswer {
  call_id: string;
  result: { ok: true; value: Json } | { ok: false; error: Failure };
}

/** The number of runs, and of those that wait only for approvals. */
export interface RunCount {
  open: number;
  waiting: number;
}

/** Runs plans. One per server; everything it does is in the log. */
export interface Engine {
  /**
   * Validates a plan without running anything (P16). Throws `InvalidInput` for an invalid context. As everything that reads
   * plans, it throws `PlanTooLong` and `TooManyPlans` for large ones.
   */
  validate(request: PlanRequest): Promise<Pick<Validation, "ok" | "problems">>;
  /** The same, as the JSON text of a `Validation`. */
  describe(request: PlanRequest): Promise<string>;
  /** The calls that remain after removing, repeatedly, those whose inputs no call can provide. */
  reachable(request: PlanRequest): Promise<JsonObject[]>;
  /**
   * Simulates a plan without calling any tool (P18); returns parts of the JSON text of a `Simulation`. Throws `InvalidPlan` if
   * it has errors, `InvalidInput` for an unknown branch.
   */
  simulate(request: PlanRequest & { branches: Record<string, number> }): Promise<AsyncGenerator<string>>;
  /**
   * Starts a run; resolves when its start is on disk. Throws `InvalidPlan`, `InvalidInput` or `NotFound`; `TooManyRuns` for a
   * given plan; and for a turn what the journal throws if a manager has taken over the conversation (D11).
   */
  start(request: RunRequest): Promise<{ conversation_id: string; run_id: string }>;
  /** Cancels a run of this server (P24); cancelling it again does nothing. Throws `NotFound`, or `Refused` if it has ended otherwise. */
  cancel(runId: string, actor: string): Promise<void>;
  /**
   * Ends the turns of a conversation that a manager has taken over (D11): their pending confirmations are denied, and they
   * send no more messages. Resolves when all of it is on disk.
   */
  yieldToOperator(conversationId: string, manager: string): Promise<void>;
  /**
   * Retries failed calls of a run, all of them if none is named (P24), and resumes the run if it has failed. Throws
   * `NotFound`, or `Refused` if there is nothing to retry or a manager has taken over the run's conversation (D11).
   */
  resume(runId: string, calls: CallPlace[], actor: string): Promise<void>;
  /** Decides a confirmation of a run of this server. Throws `NotFound`, `Refused` if it was decided otherwise, `InvalidInput`. */
  decide(confirmationId: string, runId: string, decision: Decision): Promise<void>;
  /** The calls of a turn that wait for results of the program that started it. Throws `NotFound`. */
  asked(runId: string): Promise<AskedCall[]>;
  /**
   * Takes results of such calls: all of them or none. Resolves when they are on disk. Throws `NotFound`, or `Refused` for a
   * call that does not wait for one.
   */
  answer(runId: string, answers: CallAnswer[], actor: string): Promise<void>;
  /**
   * Recovers the runs that had not ended when the last process did (P23). Called once, at the server's start. Resolves when what
   * became of their interrupted calls is on disk, so that the first request finds the approvals that they wait for.
   */
  recover(): Promise<void>;
  /** The active top-level runs. */
  count(): RunCount;
  /** Resolves when this run has ended or waits for an approval. */
  settled(runId: string): Promise<void>;
  /** Stops the engine: starts nothing more and releases active runs, which the next process recovers. */
  stop(): Promise<void>;
}
