import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import type { Store } from "./store.ts";

/** One call of a method. */
export interface Call {
  params: JsonObject;
  store: Store;
  now: Date;
}

/** What a method gives. `total` and `next` are of lists: how many there are, and where the next page starts. */
export interface Outcome {
  result: Json;
  total?: number;
  next?: number;
}

/** A method of the portal. Throws `Refusal`; a call that throws has changed nothing. */
export type Method = (call: Call) => Outcome;

export type Methods = Record<string, Method>;

/** The user whom the webhook belongs to, and as whom all calls are made. */
export const OWNER_ID = "1";
