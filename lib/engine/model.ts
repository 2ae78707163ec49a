import type { Json, JsonObject } from "../session/json.ts";

/** One request to a model, in the terms of the Responses API. */
export interface ModelRequest {
  instructions: string | null;
  /** Input items of the Responses API, as they are sent. */
  input: JsonObject[];
  /** Function tools of the Responses API. */
  tools: JsonObject[];
  /** The strict schema of the answer; null for free text. */
  format: { name: string; schema: JsonObject } | null;
}

/** A piece of a model's answer as it streams in. */
export type ModelPart =
  | { type: "text"; delta: string }
  /** A native function call, complete; `arguments` is JSON text. */
  | { type: "call"; call_id: string; name: string; arguments: string }
  | { type: "done"; answer: ModelAnswer };

/** A model's whole answer. */
export interface ModelAnswer {
  response_id: string;
  text: string;
  calls: { call_id: string; name: string; arguments: string }[];
  /** Output items as they came. */
  output: JsonObject[];
  input_tokens: number;
  output_tokens: number;
  finish_reason: string | null;
}

/** A model to ask. It fails with a `ModelError`. */
export interface Model {
  readonly model: string;
  readonly provider: string;
  respond(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Why a model gave no answer, in a sentence for a person. */
export class ModelError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ModelError";
    this.code = code;
  }
}

/** What the model proposes in one iteration (P19): calls to run, an output, or both. */
export interface Solution {
  calls: JsonObject[];
  /** Undefined where it gives none. */
  output: Json | undefined;
}
