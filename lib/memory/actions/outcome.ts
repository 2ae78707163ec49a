import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { commandsOf, isBatch } from "./batch.ts";
import type { Effect, Happening } from "./happening.ts";
import { effectOf } from "./methods.ts";

/** A successful action with its result. */
export interface Outcome {
  method: string;
  params: JsonObject;
  result: Json;
  effect: Effect;
  /** The total of a list in a batch. */
  total: Json | undefined;
}

/**
 * The successful actions: the action itself, or each command with a result in a batch (`{result: {name: …}}`). A batch
 * without results counts as one action.
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

/** PHP serializes maps with numeric keys as lists, and empty ones as an empty list. */
function entryOf(entries: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(entries)) return entries[Number(name)];
  return isJsonObject(entries) && Object.hasOwn(entries, name) ? entries[name] : undefined;
}
