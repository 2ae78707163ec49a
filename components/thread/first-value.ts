import type { Json } from "@/lib/session/json/json.ts";
import { isJsonObject } from "@/lib/session/json/json.ts";

/** How far into nested parameters a row looks for something to show. */
const DEPTH = 4;

/** A value that a row can show as it is. */
export type Plain = string | number | boolean;

/** The first plain value among a call's parameters: what tells two calls of one tool apart. Null where there is none. */
export function firstValue(params: Json, depth = DEPTH): Plain | null {
  if (typeof params === "string") return params === "" ? null : params;
  if (typeof params === "number" || typeof params === "boolean") return params;
  if (params === null || depth === 0) return null;
  const entries = Array.isArray(params) ? params : isJsonObject(params) ? Object.values(params) : [];
  for (const entry of entries) {
    const found = firstValue(entry, depth - 1);
    if (found !== null) return found;
  }
  return null;
}
