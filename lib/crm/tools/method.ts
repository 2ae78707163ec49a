import type { Effect } from "../../memory/actions/happening.ts";
import type { JsonObject } from "../../session/json/json.ts";

/** A method of the portal as a tool (M14). */
export interface CrmMethod {
  /** Its name in the specifications, for agents and in their memory. */
  name: string;
  /** The portal's name, if different. */
  wire?: string;
  description: string;
  effect: Exclude<Effect, "none">;
  /** Its parameters in the order in which they are sent: some methods use positional ones. */
  parameters: JsonObject;
  required: readonly string[];
  /** The schema of its result: a `page` for lists. */
  output: JsonObject;
  list?: true;
}

/** The portal's name of a method. */
export function wireName({ name, wire = name }: CrmMethod): string {
  return wire;
}

/** The maximum number of items to read: the only parameter that is not the portal's. */
const LIMIT = "limit";

/** The portal's parameters, in order. */
function ownNames({ parameters }: CrmMethod): string[] {
  return Object.keys(parameters).filter((name) => name !== LIMIT);
}

/** The parameters of the request. */
export function wireParams(method: CrmMethod, params: JsonObject): JsonObject {
  const sent = ownNames(method).filter((name) => Object.hasOwn(params, name));
  return Object.fromEntries(sent.map((name) => [name, params[name] ?? null]));
}

/**
 * What is wrong with parameters that were not validated, in words that follow the method's name; null if nothing is.
 */
export function paramsFault(method: CrmMethod, params: JsonObject): string | null {
  const known = ownNames(method);
  const unknown = Object.keys(params).find((name) => !known.includes(name));
  if (unknown !== undefined) return `takes no ${unknown}; its parameters are ${known.join(", ") || "none"}`;
  const missing = method.required.find((name) => !Object.hasOwn(params, name));
  return missing === undefined ? null : `needs ${missing}`;
}
