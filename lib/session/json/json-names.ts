import type { Json } from "./json.ts";
import { endOfString, pointerAt } from "./json-number.ts";

/** A duplicate key in an object of a JSON text. */
export interface RepeatedName {
  name: string;
  /** Where its second value starts. */
  offset: number;
}

/**
 * The first duplicate key in a JSON text; null for none. `JSON.parse` keeps the last value, other programs the first,
 * so a check by one may not hold for the other. `value` is the parsed text, nested so that recursion is safe; `colons`
 * is the number of colons outside of its strings. It suffices for most texts: there are as many keys as colons.
 */
export function findRepeatedName(text: string, value: Json, colons = colonsIn(text)): RepeatedName | null {
  if (colons === namesIn(value)) return null;
  const open: (Set<string> | null)[] = [];
  let name = "";
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at);
        name = text.slice(at, end + 1);
        at = end;
        break;
      }
      case ":": {
        const read = String(JSON.parse(name));
        const names = open.at(-1);
        if (names?.has(read)) return { name: read, offset: at + 1 };
        names?.add(read);
        break;
      }
      case "[":
        open.push(null);
        break;
      case "{":
        open.push(new Set());
        break;
      case "]":
      case "}":
        open.pop();
        break;
    }
  }
  return null;
}

/** The error for a duplicate key: its place, and a remedy. */
export function repeatedWords(
  text: string,
  { name, offset }: RepeatedName,
): { path: string; fate: string; shown: string } {
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  return { path: pointerAt(text, offset), shown, fate: "appears twice in its object; send it once" };
}

const QUOTE = 0x22;
const COLON = 0x3a;

/** The number of colons outside of strings. */
function colonsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === COLON) count += 1;
  }
  return count;
}

function namesIn(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const child of value) if (typeof child === "object") count += namesIn(child);
    return count;
  }
  // For an object with many keys, listing its values takes five times as long as listing its keys and looking each up.
  for (const key of Object.keys(value)) {
    const child = value[key];
    count += 1;
    if (child !== undefined && typeof child === "object") count += namesIn(child);
  }
  return count;
}
