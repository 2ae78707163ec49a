import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import type { Store } from "./store.ts";

/** A method call. */
export interface Call {
  params: JsonObject;
  store: Store;
  now: Date;
}

/** A method's result. Lists have `total` and `next`, the start of the next page. */
export interface Outcome {
  result: Json;
  total?: number;
  next?: number;
}

/** A method of the portal. Throws `Refusal`; a call that throws has changed nothing. */
export type Method = (call: Call) => Outcome;

export type Methods = Record<string, Method>;

/** The webhook's owner, as whom all calls are made. */
export const OWNER_ID = "1";
