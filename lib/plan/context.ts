import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";
import type { Context, DataMessage, TextMessage } from "./message.ts";
import { readMessage } from "./read-message.ts";
import type { Path } from "./reference.ts";

export type { Context } from "./message.ts";

/** Something in a context that cannot be read: where, and a sentence's end that follows the place's name. */
export interface ContextFault {
  /** From the list of messages on: `[0, "_instance"]`. */
  path: Path;
  message: string;
}

export type ReadContext = { ok: true; context: Context } | { ok: false; faults: ContextFault[] };

/** Brings messages in any of the accepted forms to the one form (P14a), and merges those of one kind and instance (P14). */
export function readContext(raw: readonly JsonObject[]): ReadContext {
  const faults: ContextFault[] = [];
  const data: DataMessage[] = [];
  const text: TextMessage[] = [];
  raw.forEach((message, index) => {
    const read = readMessage(message);
    if (!read.ok) faults.push(...read.faults.map((fault) => ({ ...fault, path: [index, ...fault.path] })));
    else if ("role" in read.message) text.push(read.message);
    else data.push(read.message);
  });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, context: { data: mergeMessages(data), text } };
}

/** Writes a context as messages that `readContext` reads back the same. */
export function printContext({ data, text }: Context): JsonObject[] {
  return [
    ...text.map(({ role, content }) => ({ role, content })),
    ...data.map(({ kind, instance, data: value, schema, description }) => ({
      type: "data",
      kind,
      ...(instance === "" ? {} : { _instance: instance }),
      ...(value === undefined ? {} : { data: value }),
      ...(schema === undefined ? {} : { schema }),
      ...(description === undefined ? {} : { description }),
    })),
  ];
}

/** One message for each kind and instance, merged in order (P14), where the first of them stood. */
export function mergeMessages(messages: readonly DataMessage[]): DataMessage[] {
  const merged = new Map<string, DataMessage>();
  for (const message of messages) {
    const place = placeOf(message);
    const earlier = merged.get(place);
    merged.set(place, earlier ? mergeMessage(earlier, message) : message);
  }
  return [...merged.values()];
}

/** The instances of a context (P25), in the order in which they appear; `[""]` when there are none. */
export function instancesOf({ data }: Context): string[] {
  const named = data
    .filter(({ kind, instance }) => (kind === "state" || kind === "input") && instance !== "")
    .map(({ instance }) => instance);
  return named.length === 0 ? [""] : [...new Set(named)];
}

/** The schema for a kind as this instance has it: its own, else the global one; undefined when there is none. */
export function schemaOf(context: Context, kind: string, instance: string): Json | undefined {
  return messageOf(context, kind, instance)?.schema ?? messageOf(context, kind, "")?.schema;
}

/** The kinds of data that a context has messages of, blueprints included. */
export function kindsOf({ data }: Context): ReadonlySet<string> {
  return new Set(data.map(({ kind }) => kind));
}

/** A context's messages by kind and instance: with thousands of instances, each is looked for thousands of times. */
const places = new WeakMap<Context, ReadonlyMap<string, DataMessage>>();

/** The message of exactly this kind and instance ("" is the global one). */
export function messageOf(context: Context, kind: string, instance: string): DataMessage | undefined {
  const known = places.get(context) ?? new Map(context.data.map((message) => [placeOf(message), message]));
  places.set(context, known);
  return known.get(placeOf({ kind, instance }));
}

/** A kind holds no space, so that the two cannot run into one another. */
function placeOf({ kind, instance }: Pick<DataMessage, "kind" | "instance">): string {
  return `${kind} ${instance}`;
}

/**
 * Lays one value deeply over another (P14, P14b): objects are joined key by key; of anything else the upper one
 * stands. Undefined is nothing. Neither value is changed; the result shares what was not joined.
 */
export function layOver(lower: Json | undefined, upper: Json | undefined): Json | undefined {
  if (upper === undefined) return lower;
  return lower === undefined ? upper : join(lower, upper);
}

function join(lower: Json, upper: Json): Json {
  if (!isJsonObject(lower) || !isJsonObject(upper)) return upper;
  // A map and fromEntries, so that a key named __proto__ is one like any other (P8).
  const joined = new Map(Object.entries(lower));
  for (const [key, value] of Object.entries(upper)) {
    const below = joined.get(key);
    joined.set(key, below === undefined ? value : join(below, value));
  }
  return Object.fromEntries(joined);
}

function mergeMessage(earlier: DataMessage, later: DataMessage): DataMessage {
  const data = layOver(earlier.data, later.data);
  return { ...earlier, ...later, ...(data === undefined ? {} : { data }) };
}
