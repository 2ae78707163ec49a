import type { Context, DataMessage } from "../../plan/message.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import type { CallStatus } from "../../session/session.ts";
import type { ModelAnswer, ModelRequest, Solution } from "../model.ts";
import type { RegisteredTool } from "../tools/tools.ts";

/** Why a call, or the solution as a whole, did not work; what the model reads of it (P19). */
export interface Failure {
  code: string;
  message: string;
}

/** A message `{call, error}` to the model; `call` null when the error is the solution's as a whole (P19). */
export interface CallError {
  call: JsonObject | null;
  error: Failure;
}

/** What came of a call of the last iteration, in one instance. */
export interface CallOutcome {
  /** The effective call: with its id and what its tool prescribes. */
  call: JsonObject;
  /** "" when there are no instances. */
  instance: string;
  status: CallStatus;
  /** Undefined where the call gave none. */
  output?: Json;
  error?: Failure;
  /** Why it ended without running, in a sentence. */
  reason?: string;
}

/** How a request goes on from what the provider keeps (D7). */
export interface ChainLink {
  /** The response that it goes on from; null begins a new chain, with the whole input. */
  previous_response_id: string | null;
  /** What came of the native calls of that response. Each has an output, for the API refuses a request that lacks one. */
  outputs: readonly JsonObject[];
  /** Data that the model has read in this chain and that stands as it did, as it was sent. */
  known: ReadonlySet<string>;
}

/** What a model needs to know to propose the next calls (P19). */
export interface ProposeInput {
  /** What the agent is told; null where there is none. */
  instructions: string | null;
  /** With the state as it is now, for each instance. */
  context: Context;
  /** Kinds of data that the instructions tell: the input goes without them (H5). */
  told: readonly string[];
  tools: readonly RegisteredTool[];
  /** Saved requests that a call can name in `_delegate` (P27). */
  delegates: readonly { name: string; description: string }[];
  /** What the output has to fit; null for anything. */
  output_schema: Json | null;
  /**
   * How it answers. `plan`: in the strict format `{calls, output}`. `text`: in words, with native function calls for
   * what it wants done (P19a). Native calls are taken in both.
   */
  ask: "plan" | "text";
  /** The calls of the last iteration with what came of them; empty in the first. */
  previous: readonly CallOutcome[];
  /** What went wrong in the last iteration: problems of the plan, failed calls, and the `errors` of its proposal. */
  errors: readonly CallError[];
  /** `nativeItems` of every earlier iteration, in order. */
  history: readonly JsonObject[];
  /** Where the provider keeps what is said; null where each request stands for itself. */
  chain: ChainLink | null;
}

/** What came of asking a model for calls. */
export interface Proposal {
  /** The calls of its text, then its native calls; references not resolved, meta-properties as it gave them. */
  solution: Solution;
  /** What could not be read of its answer. The run does not end on such an answer: they go back to the model (P19). */
  errors: CallError[];
  request: ModelRequest;
  answer: ModelAnswer;
}

/** A latent tool's result, asked of the model in a request of its own (P2a). */
export interface ProducedOutput {
  /** Or why its answer holds no result. */
  produced: { ok: true; output: Json } | { ok: false; error: Failure };
  request: ModelRequest;
  answer: ModelAnswer;
}

export interface Asking {
  /** Awaited before anything is sent, so that the request is on disk first (P23). */
  onRequest?: (request: ModelRequest) => Promise<void>;
  signal: AbortSignal;
}

/** Asks a model for plans. Each of its functions fails with a `ModelError`, or with the signal's reason when aborted. */
export interface Planner {
  readonly model: string;
  readonly provider: string;
  /** The model keeps no responses (D7). */
  readonly stateless: boolean;
  /**
   * Asks for the next calls (P19). `onCall` is given each call as soon as it is complete in the stream (P20); the same
   * calls stand in the solution, unless the rest of the answer turns out unreadable. `onText` is given each piece of its
   * words as it comes.
   */
  propose(
    input: ProposeInput,
    asking: Asking & { onCall?: (call: JsonObject) => void; onText?: (piece: string) => void },
  ): Promise<Proposal>;
  /**
   * Asks for the result of a latent tool's call (P2a): `params` are resolved, `scopes` the messages that the call
   * passes on (P28). The result is not checked against `_output` (P13 does that).
   */
  produceOutput(
    question: { tool: RegisteredTool; call: JsonObject; params: JsonObject; scopes: readonly DataMessage[] },
    asking: Asking,
  ): Promise<ProducedOutput>;
}
