import { isRef } from "../json/cite.ts";
import { isJsonObject, type Json } from "../json/json.ts";

/** A value in a few words: its first scalar parts, and how many items or fields it has; null for a scalar. */
export interface BriefValue {
  parts: { name: string; value: string }[];
  count: number | null;
  kind: "items" | "fields" | null;
}

const MOST_PARTS = 2;
const LONGEST = 80;
const DEPTH = 4;
/** How many parts are looked at to find the first scalars. */
const MOST_LOOKS = 40;

/** The first scalar parts of a value, each cut to 80 characters; null for none: nothing, or only a reference to it. */
export function briefValue(value: Json | undefined): BriefValue | null {
  if (value === undefined || value === null || value === "" || isRef(value)) return null;
  if (typeof value !== "object") return { parts: [{ name: "", value: cut(String(value)) }], count: null, kind: null };
  const said = mcpText(value);
  if (said !== null) return briefValue(said);
  const parts: BriefValue["parts"] = [];
  const looks = { left: MOST_LOOKS };
  for (const part of scalarsOf(value, "", DEPTH, looks)) {
    parts.push(part);
    if (parts.length === MOST_PARTS) break;
  }
  return Array.isArray(value)
    ? { parts, count: value.length, kind: "items" }
    : { parts, count: Object.keys(value).length, kind: "fields" };
}

/** The text of a result of MCP: `{content: [{type: "text", text}]}`. */
function mcpText(value: Json[] | { [key: string]: Json }): string | null {
  const content = Array.isArray(value) ? value : value.content;
  if (!Array.isArray(content) || content.length !== 1) return null;
  const [only] = content;
  return isJsonObject(only) && only.type === "text" && typeof only.text === "string" ? only.text : null;
}

function* scalarsOf(
  value: Json,
  name: string,
  depth: number,
  looks: { left: number },
): Generator<BriefValue["parts"][number]> {
  looks.left -= 1;
  if (looks.left < 0 || value === null || value === "") return;
  if (typeof value !== "object") return yield { name, value: cut(String(value)) };
  if (depth === 0) return;
  if (Array.isArray(value)) for (const item of value.slice(0, 3)) yield* scalarsOf(item, name, depth - 1, looks);
  else
    for (const [key, item] of Object.entries(value)) {
      yield* scalarsOf(item, key, depth - 1, looks);
      if (looks.left < 0) return;
    }
}

/** On one line, cut. */
export function cut(text: string, longest = LONGEST): string {
  const line = text
    .slice(0, longest * 4)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line;
}
