import { proposedChanges } from "@/components/studio/proposed-changes.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import { isJsonObject, type Json, type JsonObject } from "@/lib/session/json/json.ts";

/** A value that an action sets, and the current one. */
export interface ValueChange {
  /** `fields.OPPORTUNITY` */
  name: string;
  /** Undefined when unknown. */
  before: Json | undefined;
  after: Json;
}

/** How deep parameters are searched: fields are one or two levels down. */
const DEPTH = 4;

/**
 * The changes of an action, compared with the values in the request (`before`, by field), else with the run's state.
 * Ids of the changed object are left out unless they change. Empty when the parameters are too large to be included.
 */
export function changesOf(params: Json, before: JsonObject | null, state: Json): ValueChange[] {
  if (isRef(params)) return [];
  const known = before === null || isRef(before) ? {} : before;
  const proposed = new Map(proposedChanges(params, state).map((change) => [change.name, change]));
  return [...leavesOf(params, [])].flatMap(({ path, value }) => {
    const name = path.join(".");
    const field = path.at(-1) ?? "";
    if (Object.hasOwn(known, field)) return [{ name, before: known[field], after: value }];
    const change = proposed.get(name);
    return change ? [change] : [];
  });
}

function* leavesOf(value: Json, path: string[]): Generator<{ path: string[]; value: Json }> {
  if (isJsonObject(value) && path.length < DEPTH) {
    for (const [key, entry] of Object.entries(value)) yield* leavesOf(entry, [...path, key]);
  } else if (path.length > 0) yield { path, value };
}

/** Two values as numbers, one of which may be a string of digits; null when they are no numbers, or ids. */
export function figuresOf({ name, before, after }: ValueChange): { before: number; after: number } | null {
  if (ID.test(name)) return null;
  if (typeof before !== "number" && typeof after !== "number") return null;
  const figures = { before: figureOf(before), after: figureOf(after) };
  return figures.before === null || figures.after === null ? null : { before: figures.before, after: figures.after };
}

const ID = /(^|[._])id$/i;

const FIGURE = /^-?\d{1,15}(\.\d+)?$/;

function figureOf(value: Json | undefined): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && FIGURE.test(value) ? Number(value) : null;
}
