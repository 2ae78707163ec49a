import { isJsonObject, type Json, type JsonObject } from "@/lib/session/json/json.ts";

/** A value that an action sets, and the current one in the state. */
export interface ProposedChange {
  /** `fields.OPPORTUNITY` */
  name: string;
  /** Undefined when the state has none. */
  before: Json | undefined;
  after: Json;
}

/** How deep parameters and state are searched: actions and records are flat. */
const DEPTH = 4;

/**
 * The changes of an action: the old value of a parameter is that of the same name in the only record of the state that
 * shares an id with the parameters. Ids are no changes.
 */
export function proposedChanges(params: Json, state: Json): ProposedChange[] {
  const leaves = [...leavesOf(params, [])];
  const ids = new Set(leaves.filter(({ path }) => isId(path.at(-1) ?? "")).map(({ value }) => String(value)));
  const records = [...recordsOf(state, DEPTH)].filter((record) => sharesId(record, ids));
  return leaves
    .filter(({ path }) => !isId(path.at(-1) ?? ""))
    .map(({ path, value }) => ({ name: path.join("."), before: oldValue(records, path.at(-1) ?? ""), after: value }))
    .filter(({ before, after }) => before !== after);
}

function* leavesOf(value: Json, path: string[]): Generator<{ path: string[]; value: Json }> {
  if (isJsonObject(value) && path.length < DEPTH) {
    for (const [key, entry] of Object.entries(value)) yield* leavesOf(entry, [...path, key]);
  } else if (path.length > 0) yield { path, value };
}

function* recordsOf(value: Json, depth: number): Generator<JsonObject> {
  if (depth < 0 || typeof value !== "object" || value === null) return;
  if (isJsonObject(value)) yield value;
  for (const entry of Array.isArray(value) ? value : Object.values(value)) yield* recordsOf(entry, depth - 1);
}

function sharesId(record: JsonObject, ids: ReadonlySet<string>): boolean {
  return Object.entries(record).some(([key, value]) => key.toLowerCase() === "id" && ids.has(String(value)));
}

function oldValue(records: readonly JsonObject[], name: string): Json | undefined {
  const values = records.flatMap((record) =>
    Object.entries(record)
      .filter(([key]) => key.toLowerCase() === name.toLowerCase())
      .map(([, value]) => value),
  );
  return new Set(values).size === 1 ? values[0] : undefined;
}

function isId(name: string): boolean {
  return /(^|_)id$/i.test(name) || /[a-z]Id$/.test(name);
}
