import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";

/** The most objects, lists and values in a schema: compiling that many takes about as long as a check may. */
export const MOST_PARTS = 5_000;

/** Keywords whose cost can grow faster than the schema's size times the value's; an `$id` changes what a `$ref` means. */
const COSTLY = new Set(["$id", "$dynamicRef", "$recursiveRef", "patternProperties"]);

/** Whether a key stands anywhere in a schema, be it as a keyword or within what a `$ref` could lead to. */
export function hasKey(schema: Json, key: string): boolean {
  return partsOf(schema).some(([name]) => name === key);
}

/** How many objects, lists and values there are in a schema, its patterns counted by what compiling them takes. */
export function countParts(schema: Json): number {
  let count = 0;
  for (const [key, part] of partsOf(schema)) {
    // The keys of `patternProperties` are patterns.
    count += 1 + partsOfPattern(key);
    if (key === "pattern" && typeof part === "string") count += partsOfPattern(part);
  }
  return count;
}

/** A class of Unicode takes as long to be compiled as so many parts of a schema; 120,000 of them took 4 s. */
const PARTS_OF_A_CLASS = 4;

function partsOfPattern(pattern: string): number {
  let classes = 0;
  for (const _ of pattern.matchAll(/\\p/gi)) classes += 1;
  return Math.floor(pattern.length / CHARACTERS_A_PART) + classes * PARTS_OF_A_CLASS;
}

/** Characters of a text that cost as much as a value. */
const CHARACTERS_A_PART = 32;

/** How many objects, lists and values there are in a value, and pieces of texts; not counted beyond `most`. */
export function countValue(value: Json, most: number): number {
  const open: Json[] = [value];
  let count = 0;
  for (let next = open.pop(); next !== undefined && count <= most; next = open.pop()) {
    count += 1;
    if (typeof next === "string") count += next.length / CHARACTERS_A_PART;
    if (typeof next !== "object" || next === null) continue;
    const children = Array.isArray(next) ? next : Object.values(next);
    if (children.length > most) return most + 1;
    for (const child of children) open.push(child);
  }
  return count;
}

/**
 * What checking a part of a value costs at most: the schema's size, with what its references lead to. Infinite where it is
 * more than that: references can call one another exponentially often or for ever, and patterns backtrack.
 */
export function linearCost(schema: JsonObject): number {
  if (!partsOf(schema).every(isLinearPart)) return Number.POSITIVE_INFINITY;
  const size = unfoldedSize(schema);
  return size <= MOST_PARTS ? Math.max(1, size) : Number.POSITIVE_INFINITY;
}

function isLinearPart([key, part]: [string, Json]): boolean {
  if (COSTLY.has(key)) return false;
  if (key === "pattern") return typeof part === "string" && isLinearPattern(part);
  // Of Ajv's formats one was measured to be quadratic, and one compiles what it checks.
  return !(key === "format" && (part === "url" || part === "regex"));
}

/** The size of a schema with its definitions put where they are referred to; infinite when one leads to itself. */
function unfoldedSize(schema: JsonObject): number {
  const sizes = new Map<string, number>();
  const sizeOf = (part: Json): number =>
    partsOf(part).reduce((size, [key, child]) => size + 1 + (key === "$ref" ? sizeBehind(String(child)) : 0), 0);
  const sizeBehind = (reference: string): number => {
    const known = sizes.get(reference);
    if (known !== undefined) return known;
    // Found again while it is being measured, it leads to itself.
    sizes.set(reference, Number.POSITIVE_INFINITY);
    const definition = definitionOf(schema, reference);
    if (definition !== undefined) sizes.set(reference, sizeOf(definition));
    return sizes.get(reference) ?? 0;
  };
  return sizeOf(schema);
}

function definitionOf(schema: JsonObject, reference: string): Json | undefined {
  const [, keyword = "", name = ""] = /^#\/(\$defs|definitions)\/([\w.-]+)$/.exec(reference) ?? [];
  const definitions = schema[keyword];
  return isJsonObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

/** `[`…`]` with what it may hold, an escape, or any character that is no sign of the grammar. */
const ATOM = /\\[pP]\{\w+\}|\[(?:[^\]\\]|\\.)*\]|\\[^1-9k]|[^\\[\](){}|*+?^$]/y;
const QUANTIFIER = /\{(\d+)(,)?(\d+)?\}\??|[*+?]\??/y;
/** Up to this many ways to divide a text between bounded quantifiers are as good as one. */
const MOST_WAYS = 1_000;

/**
 * Tells whether a pattern is anchored at its start and has no groups, no alternatives, no back references and at most
 * one quantifier without a bound: then it reads a text a bounded number of times. Says no when in doubt.
 */
export function isLinearPattern(pattern: string): boolean {
  if (!pattern.startsWith("^")) return false;
  let unbounded = 0;
  let ways = 1;
  let at = 1;
  while (at < pattern.length) {
    if (pattern[at] === "$" && at === pattern.length - 1) return true;
    const atom = matchAt(ATOM, pattern, at);
    if (!atom) return false;
    at += atom[0].length;
    const quantifier = matchAt(QUANTIFIER, pattern, at);
    if (!quantifier) continue;
    at += quantifier[0].length;
    const choices = choicesOf(quantifier);
    if (choices === Number.POSITIVE_INFINITY) unbounded += 1;
    else ways *= choices;
    if (unbounded > 1 || ways > MOST_WAYS) return false;
  }
  return true;
}

function choicesOf([text, least = "0", comma, most]: RegExpExecArray): number {
  if (text.startsWith("?")) return 2;
  if (!text.startsWith("{")) return Number.POSITIVE_INFINITY;
  if (!comma) return 1;
  return most === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Number(most) - Number(least) + 1);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Every value in a schema with the key it stands under, "" in a list. A list of its own: schemas may nest deeply. */
function partsOf(schema: Json): [string, Json][] {
  const parts: [string, Json][] = [["", schema]];
  // The list grows while it is read.
  for (const [, part] of parts) {
    if (typeof part !== "object" || part === null) continue;
    if (Array.isArray(part)) for (const child of part) parts.push(["", child]);
    else for (const entry of Object.entries(part)) parts.push(entry);
  }
  return parts;
}
