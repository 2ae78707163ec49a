import type { DataMessage } from "../../plan/message.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";

/** Which use of a tool an activity carries out. */
export interface ActivityCall {
  conversation_id: string;
  run_id: string;
  iteration: number;
  call_id: string;
  /** "" when there are no instances. */
  instance: string;
  tool: string;
  /** From 1; tries after an interruption count on. */
  attempt: number;
  /** The same for every try of this call, and of no other: ASCII, made of run, iteration, call and instance (P23). */
  idempotency_key: string;
  /** Aborts when the call is cancelled or its time is up. */
  signal: AbortSignal;
  /** Tells how far it has come; may be called as often as one likes, with whatever an outside system says. */
  report(progress: ProgressReport): void;
}

/** How far an activity has come, unchecked: what an outside system says. */
export interface ProgressReport {
  /** From 0 to 1; missing where it is not known. */
  part?: number | undefined;
  message?: string | undefined;
}

/**
 * The function that carries a tool out. It is given the resolved parameters and the messages that its scopes name
 * (P28), both by value (P8), and gives the result, or a `Choice` of where it goes. It fails by throwing, best an
 * `ActivityError`.
 */
export type Activity = (
  params: JsonObject,
  scopes: readonly DataMessage[],
  call: ActivityCall,
) => Promise<Json | Choice>;

/** A result with the alternative of the output path that the activity chose (P10), named by one of its paths. */
export class Choice {
  readonly path: string;
  readonly value: Json;

  constructor(path: string, value: Json) {
    this.path = path;
    this.value = value;
  }
}

/**
 * Reads an answer that may choose, as HTTP tools and persons give it: `{"_path": "†state.error", "value": …}`. Null when
 * it has a `_path` and does not choose by it.
 */
export function readChoice(answer: Json): { value: Json; chosen: string | null } | null {
  if (!isJsonObject(answer) || !Object.hasOwn(answer, "_path")) return { value: answer, chosen: null };
  const { _path: chosen, value } = answer;
  return typeof chosen === "string" && value !== undefined ? { value, chosen } : null;
}

/** What an activity's failure says: `code` and `message` go to the error alternative (P10). */
export class ActivityError extends Error {
  readonly code: string;
  /** It certainly did not happen (connection refused, a documented rate limit): trying again is safe for any tool (P24). */
  readonly did_not_happen: boolean;
  /** Trying again may help; false for what would fail the same way. */
  readonly transient: boolean;
  /** How long to wait at least before the next try, in ms; null leaves it to the backoff. */
  readonly retry_after_ms: number | null;

  constructor(
    code: string,
    message: string,
    options: ErrorOptions & { did_not_happen?: boolean; transient?: boolean; retry_after_ms?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "ActivityError";
    this.code = code;
    this.did_not_happen = options.did_not_happen ?? false;
    this.transient = options.transient ?? this.did_not_happen;
    this.retry_after_ms = options.retry_after_ms ?? null;
  }
}
