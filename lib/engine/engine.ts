import type { PlanProblem } from "../plan/problem.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import type { Locale } from "../session/locale.ts";
import type { PlanEdge } from "../session/session.ts";
import type { HistorySettings } from "./prompt.ts";
import type { ToolDefinition } from "./tools/tool-definition.ts";

/** A plan with what it is read against. */
export interface PlanRequest {
  plan: JsonObject[];
  /** Laid over the server's own tools (P2a). */
  tools: ToolDefinition[];
  /** Messages in any of the accepted forms (P14a). */
  context: JsonObject[];
}

/** `canary`: calls that only read or make something new run, the others stay planned (M13). */
export type RunMode = "execute" | "confirm" | "canary" | "shadow";

/** What a run may use up in all, its delegates included. */
export interface Budget {
  calls?: number | undefined;
  tokens?: number | undefined;
  time_ms?: number | undefined;
}

/** A run to be started. */
export interface RunRequest extends Omit<PlanRequest, "plan"> {
  /** Null: a model makes the plan, iteration by iteration (P19). */
  plan: JsonObject[] | null;
  mode: RunMode;
  /** Tools to be confirmed in the mode `confirm`; none names all (P22). */
  confirm: string[];
  /** Null: a new conversation is created. */
  conversation_id: string | null;
  user_id: string | null;
  agent_id: string | null;
  /** How many calls run at once; null for the default. */
  concurrency: number | null;
  max_iterations: number | null;
  budget: Budget;
  /** What the output of the run has to fit (P19); null for anything. */
  output_schema: Json | null;
  /** The run of the same fork whose plan it goes on with (E9). */
  continues?: string | undefined;
  /** Null for a run that answers nobody. */
  turn: Turn | null;
}

/** A user's message that an agent answers by a run, as the agent's definition is then (D12). */
export interface Turn {
  /** The run's id, by which a message that is sent again is known. */
  run_id: string;
  message: { id: string; content: string };
  /** What the agent is told, its placeholders not filled in (H1); null where the director says who speaks (D1). */
  instructions: string | null;
  history: HistorySettings;
  /** The user's zone by its IANA name; null for the system's. */
  timezone: string | null;
  household_id: string | null;
  /** The tools that the agent may use; null for all there are. */
  tools: string[] | null;
  locale: Locale;
}

/** What validation finds (P16). `ok` when no problem is an error. */
export interface Validation {
  ok: boolean;
  problems: PlanProblem[];
  graph: { nodes: { id: string; tool: string }[]; edges: PlanEdge[] };
}

/** What a person decides about a confirmation (P22, P23). */
export interface Decision {
  decision: "approve" | "deny";
  reason: string | null;
  /** Edited parameters, or another call. */
  action: { method: string; params: JsonObject } | null;
  /**
   * The result of a call that was interrupted, as the person found it; undefined for none. `{"_path": "†state.error",
   * "value": …}` chooses where it goes, as an activity may (P10).
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

/** How many runs there are, and of them those that wait for nothing but persons. */
export interface RunCount {
  open: number;
  waiting: number;
}

/** Runs plans. One for each server; what it does is in the log. */
export interface Engine {
  /**
   * Checks a plan without running anything (P16). Throws `InvalidInput` for a context that cannot be read; where the plan is
   * large `PlanTooLong` and `TooManyPlans`, as all that reads plans.
   */
  validate(request: PlanRequest): Promise<Pick<Validation, "ok" | "problems">>;
  /** All that validation finds, as the JSON text of a `Validation`. */
  describe(request: PlanRequest): Promise<string>;
  /** The calls that are left when those that can never get what they read are taken out, one after another. */
  reachable(request: PlanRequest): Promise<JsonObject[]>;
  /**
   * Plays a plan without any activity (P18): pieces of the JSON text of a `Simulation`. Throws `InvalidPlan` when it has errors,
   * `InvalidInput` for an unknown branch.
   */
  simulate(request: PlanRequest & { branches: Record<string, number> }): Promise<AsyncGenerator<string>>;
  /**
   * Starts a run and resolves when its beginning is on disk. Throws `InvalidPlan`, `InvalidInput` or `NotFound`, for a plan
   * `TooManyRuns`, and for a turn what the journal throws where a manager has taken the conversation over (D11).
   */
  start(request: RunRequest): Promise<{ conversation_id: string; run_id: string }>;
  /** Stops an own run (P24); one that was cancelled before stays so. Throws `NotFound`, or `Refused` when it has ended otherwise. */
  cancel(runId: string, actor: string): Promise<void>;
  /**
   * Ends the turns of a conversation that a manager has taken over (D11): what they wait for is denied, and they say no
   * more. Resolves when all of it is on disk.
   */
  yieldToOperator(conversationId: string, manager: string): Promise<void>;
  /**
   * Resumes a failed run from failed calls, all of them when none is named (P24). A run that is still going runs them
   * again, too. Throws `NotFound`, or `Refused` when there is nothing to run again, or a manager has taken over what the
   * run is a turn of (D11).
   */
  resume(runId: string, calls: CallPlace[], actor: string): Promise<void>;
  /** Decides a confirmation of an own run. Throws `NotFound`, `Refused` when it was decided otherwise, `InvalidInput`. */
  decide(confirmationId: string, runId: string, decision: Decision): Promise<void>;
  /** Takes up the runs that had not ended when the process did (P23). Called once, when the server starts. */
  recover(): Promise<void>;
  /** Runs that go on here, delegates' runs not among them. */
  count(): RunCount;
  /** Resolves when this run has ended or waits for a person. */
  settled(runId: string): Promise<void>;
  /** Starts nothing more and lets go of what runs, which is taken up by the next process. */
  stop(): Promise<void>;
}
