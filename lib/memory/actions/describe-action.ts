import type { JsonObject } from "../../session/json/json.ts";
import type { Locale } from "../../session/locale.ts";
import { fieldOf, fieldsOf, plainName } from "../field.ts";
import { type Named, type Words, wordsIn } from "../words/words.ts";
import { commandsOf, isBatch } from "./batch.ts";
import { changesOf, valueIn } from "./describe-field.ts";
import type { Action } from "./happening.ts";
import { methodOf } from "./methods.ts";
import { OWNER_FIELDS, ownerOf } from "./owner.ts";
import { targetOf } from "./target.ts";

type Call = Pick<Action, "method" | "params">;

/**
 * A description of an action for approval (M9): "Change the amount of deal 123 to 100000". Includes every field and
 * every command of a batch; long values are cut.
 */
export function describeAction(action: Call, locale: Locale): string {
  return describe(action, wordsIn(locale));
}

function describe({ method, params }: Call, words: Words): string {
  const known = methodOf(method);
  if (known?.verb === "add") {
    const owner = ownerOf(params);
    return words.create(known.kind, owner, changesOf(owner ? withoutOwner(fieldsOf(params)) : fieldsOf(params), words));
  }
  if (known?.verb === "update")
    return describeChange({ kind: known.kind, id: targetOf(known.kind, params) }, fieldsOf(params), words);
  if (isBatch(method)) return describeBatch(params, words);
  const event = textOf(params, "event");
  if (method === "event.bind") return words.bind(event, textOf(params, "handler"));
  if (method === "event.unbind") return words.unbind(event, textOf(params, "handler"));
  return words.carryOut(method, changesOf(params, words));
}

function describeChange(object: Named, fields: JsonObject, words: Words): string {
  const changes = changesOf(fields, words);
  const [only, ...others] = changes;
  const [name = ""] = Object.keys(fields);
  if (!only || others.length > 0) return words.change(object, changes);
  if (only.value === null) return words.empty(object, only.field);
  const phrase = Object.entries(words.changeOf).find(([field]) => plainName(field) === plainName(name))?.[1];
  return phrase ? phrase(object, only.value) : words.change(object, changes);
}

function describeBatch(params: JsonObject, words: Words): string {
  const commands = commandsOf(params).map(({ action }) => (action ? describe(action, words) : words.unreadable));
  return words.runBatch(commands.length, commands);
}

function withoutOwner(fields: JsonObject): JsonObject {
  const told = new Set(OWNER_FIELDS.map(plainName));
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !told.has(plainName(field))));
}

function textOf(params: JsonObject, name: string): string {
  return valueIn(fieldOf(params, name) ?? null, { quoted: (text) => text }) ?? "—";
}
