import type { Effect } from "../../memory/actions/happening.ts";
import type { JsonObject } from "../../session/json/json.ts";

/** A method of the portal as a tool (M14). */
export interface CrmMethod {
  /** As the specifications, the agents and their memory call it. */
  name: string;
  /** As the portal calls it, where that is another name. */
  wire?: string;
  description: string;
  effect: Exclude<Effect, "none">;
  /** Its parameters, in the order in which they are sent: some methods read them by their place. */
  parameters: JsonObject;
  required: readonly string[];
  /** Of its result: a `page` when it is a list. */
  output: JsonObject;
  list?: true;
}

/** What a portal calls a method. */
export function wireName({ name, wire = name }: CrmMethod): string {
  return wire;
}

/** How many items of a list are read: the one parameter that is ours and not the portal's. */
const LIMIT = "limit";

/** The parameters that the portal takes, in its order. */
function ownNames({ parameters }: CrmMethod): string[] {
  return Object.keys(parameters).filter((name) => name !== LIMIT);
}

/** The parameters as they are sent. */
export function wireParams(method: CrmMethod, params: JsonObject): JsonObject {
  const sent = ownNames(method).filter((name) => Object.hasOwn(params, name));
  return Object.fromEntries(sent.map((name) => [name, params[name] ?? null]));
}

/** What is wrong with parameters that no schema has checked, in words that follow the method's name; null when nothing is. */
export function paramsFault(method: CrmMethod, params: JsonObject): string | null {
  const known = ownNames(method);
  const unknown = Object.keys(params).find((name) => !known.includes(name));
  if (unknown !== undefined) return `takes no ${unknown}; its parameters are ${known.join(", ") || "none"}`;
  const missing = method.required.find((name) => !Object.hasOwn(params, name));
  return missing === undefined ? null : `needs ${missing}`;
}
