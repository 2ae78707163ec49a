import type { Json, JsonObject } from "../session/json/json.ts";

/** One request to a model, in the terms of the Responses API. */
export interface ModelRequest {
  instructions: string | null;
  /** Input items of the Responses API, as they are sent. */
  input: JsonObject[];
  /** Function tools of the Responses API. */
  tools: JsonObject[];
  /** The strict schema of the answer; null for free text. */
  format: { name: string; schema: JsonObject } | null;
  /** The response that it goes on from, whose input and output the provider has (D7); null: the input is all there is. */
  previous_response_id: string | null;
  /** The provider keeps the response, so that a later request can go on from it. */
  store: boolean;
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
  /** It keeps no responses: each request has to have everything (D7). */
  readonly stateless?: boolean;
  respond(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** The response that a request goes on from is not there any more: the same can be asked with the whole input (D7). */
export const UNKNOWN_RESPONSE = "unknown_response";
/** The request, with all that the provider has kept before it, is longer than the model can read. */
export const TOO_LONG = "too_long";

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
