import { pointerPart } from "../../plan/problem.ts";
import type { Json, JsonObject } from "../json/json.ts";

/** A part of a value that has no parts. */
export interface ValueLeaf {
  /** JSON Pointer. It continues in a text that is a JSON document: `/content/0/text/orders/1`. */
  path: string;
  value: string | number;
  /** The object that contains it, if any: the values beside it identify what it is about. */
  beside: JsonObject | null;
}

/** A longer text is not parsed. */
const LONGEST_DOCUMENT = 1_000_000;

interface Open {
  value: Json;
  path: string;
  beside: JsonObject | null;
}

/**
 * The texts and numbers within a value, in its order, with the names of its objects that are values themselves, such
 * as ids; at most `most` and then null.
 */
export function* leavesOf(root: Json, most: number): Generator<ValueLeaf | null> {
  const open: Open[] = [{ value: root, path: "", beside: null }];
  for (let seen = 0, next = open.pop(); next; next = open.pop()) {
    const value = typeof next.value === "string" ? (documentIn(next.value) ?? next.value) : next.value;
    if (typeof value === "object" && value !== null) {
      openParts(open, value, next.path);
      continue;
    }
    seen += 1;
    if (seen > most) {
      yield null;
      return;
    }
    if (typeof value === "boolean" || value === null) continue;
    yield { path: next.path, value, beside: next.beside };
  }
}

/** Puts the parts of a value on the stack, the first on top. */
function openParts(open: Open[], value: Json[] | JsonObject, path: string): void {
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index--)
      open.push({ value: value[index] ?? null, path: `${path}/${index}`, beside: null });
    return;
  }
  for (const key of Object.keys(value).reverse()) {
    const item = value[key] ?? null;
    const at = path + pointerPart(key);
    open.push({ value: item, path: at, beside: value });
    if (/\d{3}/.test(key) && !holds(item, key)) open.push({ value: key, path: at, beside: null });
  }
}

/** Whether an object has its own name as a value: that is where it is read from. */
function holds(item: Json, key: string): boolean {
  return typeof item === "object" && item !== null && Object.values(item).includes(key);
}

/** The JSON document that a text is, as in answers of MCP's tools. */
function documentIn(text: string): Json[] | JsonObject | null {
  if (text.length > LONGEST_DOCUMENT || !/^\s*[{[]/.test(text)) return null;
  try {
    const value: Json = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
