import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import type { Locale } from "../../session/locale.ts";
import type { DoneEntry } from "../document.ts";
import { fieldOf, fieldsOf } from "../field.ts";
import { type Named, type Words, wordsIn } from "../words/words.ts";
import { commandsOf, isBatch } from "./batch.ts";
import { labelOf } from "./describe-field.ts";
import { newIdOf } from "./id.ts";
import { methodOf } from "./methods.ts";
import type { Outcome } from "./outcome.ts";
import { ownerOf } from "./owner.ts";
import { targetOf } from "./target.ts";

/**
 * The `done` entry of a successful action (M6): for each change, and for the ten lists with their length; otherwise
 * null.
 */
export function doneOf(outcome: Outcome, at: string, locale: Locale): DoneEntry | null {
  const told = toldOf(outcome, wordsIn(locale));
  return told && { timestamp: at, ...told };
}

function toldOf(outcome: Outcome, words: Words): Pick<DoneEntry, "description" | "object_ids"> | null {
  const { method, params, result, effect, total } = outcome;
  const known = methodOf(method);
  if (known?.verb === "list") return { description: words.viewed(known.kind, countOf(result, total)), object_ids: {} };
  if (effect !== "create" && effect !== "change") return null;
  if (known?.verb === "add") {
    const object = { kind: known.kind, id: newIdOf(result) };
    const owner = ownerOf(params);
    return { description: words.created(object, owner), object_ids: { ...idsOf(object), ...idsOf(owner) } };
  }
  if (known?.verb === "update") {
    const object = { kind: known.kind, id: targetOf(known.kind, params) };
    const fields = Object.keys(fieldsOf(params)).map((field) => labelOf(field, words));
    return { description: words.changed(object, fields), object_ids: idsOf(object) };
  }
  return { description: otherwise(method, params, words), object_ids: {} };
}

function otherwise(method: string, params: JsonObject, words: Words): string {
  const event = String(fieldOf(params, "event") ?? "");
  if (method === "event.bind") return words.bound(event);
  if (method === "event.unbind") return words.unbound(event);
  return isBatch(method) ? words.ranBatch(commandsOf(params).length) : words.carriedOut(method);
}

function idsOf(object: Named | null): JsonObject {
  return object && object.id !== null ? { [`${object.kind}_id`]: object.id } : {};
}

/** The length of a list: the portal's total, else that of the result. */
function countOf(result: Json, total: Json | undefined): number {
  const told = total ?? (isJsonObject(result) ? result.total : undefined);
  if (typeof told === "number") return told;
  const lists = Array.isArray(result)
    ? [result]
    : Object.values(isJsonObject(result) ? result : {}).filter(Array.isArray);
  return lists[0]?.length ?? 0;
}
