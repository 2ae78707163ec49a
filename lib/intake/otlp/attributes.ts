import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { readJson } from "../../session/json/json-text.ts";

/** The attributes of a span, read by their names. What nobody asked for is the rest. */
export class Attributes {
  /** A map: adapters look for some two hundred names that most spans lack, which cost twice as much in an object. */
  private readonly all: ReadonlyMap<string, Json>;
  private readonly taken = new Set<string>();

  constructor(all: JsonObject) {
    this.all = new Map(Object.entries(all));
  }

  /** The first of these that is there. All of them count as read: they are names of one thing. */
  value(...names: string[]): Json | undefined {
    let found: Json | undefined;
    for (const name of names) {
      const value = this.all.get(name);
      if (value === undefined) continue;
      this.taken.add(name);
      found ??= value;
    }
    return found ?? undefined;
  }

  /** The first of these, as a text that is not empty. */
  text(...names: string[]): string | null {
    const value = this.value(...names);
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    return typeof value === "string" && value !== "" ? value : null;
  }

  /** The first of these, as a whole number from 0 on; null where it is no number, which is not 0. */
  count(...names: string[]): number | null {
    const text = this.text(...names);
    const value = text !== null && /^\d/u.test(text) ? Number(text) : Number.NaN;
    return Number.isSafeInteger(value) && value >= 0 ? value : null;
  }

  /** The first of these; a text that holds JSON is read. */
  json(...names: string[]): Json | undefined {
    const value = this.value(...names);
    return typeof value === "string" ? embedded(value) : value;
  }

  /** Attributes whose names begin so, by what follows. */
  under(prefix: string): JsonObject {
    const found = [...this.all].filter(([name]) => name.startsWith(prefix));
    for (const [name] of found) this.taken.add(name);
    return Object.fromEntries(found.map(([name, value]) => [name.slice(prefix.length), value]));
  }

  /** A list that was spread over names such as `llm.input_messages.0.message.role`, put together again. */
  list(prefix: string): Json[] {
    const root: Branch = new Map();
    for (const [rest, value] of Object.entries(this.under(`${prefix}.`))) plant(root, rest.split("."), value);
    const list = grown(root);
    return Array.isArray(list) ? list : [];
  }

  rest(): JsonObject {
    return Object.fromEntries([...this.all].filter(([name]) => !this.taken.has(name)));
  }
}

/** JSON within a text that nests deeper stays text: messages stand up to ten levels down in their events, and 64 is the limit. */
const EMBEDDED_DEPTH = 50;

/** What a text holds, where it is JSON of an object, a list or a text; the text itself otherwise. */
export function embedded(text: string): Json {
  if (!/^\s*[[{"]/u.test(text)) return text;
  const read = readJson(text, EMBEDDED_DEPTH, "as_written");
  return read.ok ? read.value : text;
}

/** An object that an attribute holds; an empty one where it holds anything else. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The first of these in an object that is a whole number from 0 on; null where it is not known. */
export function countIn(of: JsonObject, ...names: string[]): number | null {
  const isCount = (value: Json | undefined) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  const count = names.map((name) => of[name]).find(isCount);
  return typeof count === "number" ? count : null;
}

type Branch = Map<string, Branch | { leaf: Json }>;

/** Names deeper than this are no list of messages, and are left out. */
const DEEPEST_NAME = 12;

function plant(root: Branch, path: readonly string[], value: Json): void {
  if (path.length > DEEPEST_NAME) return;
  let at = root;
  for (const [index, step] of path.entries()) {
    if (index === path.length - 1) {
      at.set(step, { leaf: value });
      return;
    }
    const next = at.get(step);
    // Two attributes may contradict each other, `a.b` and `a.b.c`: the longer one counts.
    const branch: Branch = next instanceof Map ? next : new Map();
    at.set(step, branch);
    at = branch;
  }
}

/** A branch whose names are all numbers is a list, in their order; the numbers themselves may have holes. */
function grown(branch: Branch): Json {
  const entries = [...branch].map(([name, value]): [string, Json] => [
    name,
    value instanceof Map ? grown(value) : value.leaf,
  ]);
  if (!entries.every(([name]) => /^\d{1,9}$/u.test(name))) return Object.fromEntries(entries);
  return entries.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value);
}
