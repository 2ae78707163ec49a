import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { commandsOf, isBatch } from "./batch.ts";
import type { Effect, Happening } from "./happening.ts";
import { effectOf } from "./methods.ts";

/** One action that succeeded, with what it gave. */
export interface Outcome {
  method: string;
  params: JsonObject;
  result: Json;
  effect: Effect;
  /** How many there are in all, where a batch tells it of a list. */
  total: Json | undefined;
}

/**
 * What succeeded: the action itself, or each command of a batch that its result tells of (`{result: {name: …}}`). A
 * batch whose result tells nothing counts as one action.
 */
export function outcomesOf({ action, result, effect }: Extract<Happening, { type: "carried_out" }>): Outcome[] {
  const { method, params } = action;
  const results = isBatch(method) && isJsonObject(result) ? result.result : undefined;
  if (!isJsonObject(results) && !Array.isArray(results)) return [{ method, params, result, effect, total: undefined }];
  const totals = isJsonObject(result) ? result.result_total : undefined;
  return commandsOf(params).flatMap(({ name, action: command }) => {
    const given = entryOf(results, name);
    if (!command || given === undefined) return [];
    return [{ ...command, result: given, effect: effectOf(command.method), total: entryOf(totals, name) }];
  });
}

/** PHP writes a list where all names are positions, and an empty one where nothing is. */
function entryOf(entries: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(entries)) return entries[Number(name)];
  return isJsonObject(entries) && Object.hasOwn(entries, name) ? entries[name] : undefined;
}
