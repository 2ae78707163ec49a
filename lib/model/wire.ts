import type { ModelPart, ModelRequest } from "../engine/model.ts";
import type { Asked } from "./failure.ts";

/** The APIs that a model can be asked through. */
export const MODEL_APIS = ["responses", "chat"] as const;
export type ModelApi = (typeof MODEL_APIS)[number];

/** How a model is asked through one API. */
export interface Wire {
  /** Below the base URL. */
  path: string;
  /** The server keeps responses that later requests can continue from (D7). */
  keepsResponses: boolean;
  /** Timeouts in ms: for the headers of a response, and for each next event. */
  patience: Patience;
  /** The body of a streamed request, without the model's name. */
  body(request: ModelRequest): Record<string, unknown>;
  reader(asked: Asked): Reader;
}

/** Timeouts in ms. */
export interface Patience {
  beginning: number;
  silence: number;
}

/** Converts the events of a streamed answer, in order, to parts; the last one is `done`. Throws a `ModelError`. */
export interface Reader {
  read(received: unknown): ModelPart[];
  /** The stream has ended before a part was `done`. */
  end(): ModelPart[];
}

/** The maximum text of an answer, in characters: it is stored in one event, and used in all later prompts. */
export const LONGEST_TEXT = 1_000_000;

/** The maximum output with reasoning and calls, as JSON: 4 MB if it is ASCII. */
export const LONGEST_OUTPUT = 4_000_000;
