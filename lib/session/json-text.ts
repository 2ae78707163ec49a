import type { Json } from "./json.ts";

/** What is wrong with a text that should be JSON. */
export interface JsonFlaw {
  message: string;
  /** It is no JSON at all: perhaps only the beginning of some. */
  syntax: boolean;
  /** Counts from 1 within the text; null where it is not known. */
  line: number | null;
}

/**
 * Reads JSON that others wrote: nested at most `depth` levels, so that whatever walks it later may recurse, without lone
 * surrogates, which no UTF-8 can hold, and without numbers that become Infinity, which no JSON can hold (E11).
 */
export function readJson(text: string, depth: number): { ok: true; value: Json } | { ok: false; flaw: JsonFlaw } {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = / \(line (\d+) column \d+\)/.exec(error.message);
    const reason = error.message.replace(place?.[0] ?? "", "");
    return {
      ok: false,
      flaw: { message: `this is not JSON: ${reason}`, syntax: true, line: place ? Number(place[1]) : null },
    };
  }
  const message = flawWithin(value, depth);
  return message === null ? { ok: true, value } : { ok: false, flaw: { message, syntax: false, line: null } };
}

/** Walks with a list of its own: what it looks for is what a recursive walk would fall over. */
function flawWithin(root: Json, depth: number): string | null {
  const open: { value: Json; level: number }[] = [{ value: root, level: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, level } = next;
    if (typeof value === "string" && !value.isWellFormed()) return BROKEN;
    if (typeof value === "number" && !Number.isFinite(value)) return TOO_LARGE;
    if (typeof value !== "object" || value === null) continue;
    if (level === depth) return `this is nested deeper than ${depth} levels`;
    for (const key of Object.keys(value)) if (!key.isWellFormed()) return BROKEN;
    for (const child of Object.values(value)) open.push({ value: child, level: level + 1 });
  }
  return null;
}

const TOO_LARGE = "a number in it is beyond 1.8e308 and cannot be kept; write it as a text";
const BROKEN = "a text in it holds half of a surrogate pair, which is not Unicode";
