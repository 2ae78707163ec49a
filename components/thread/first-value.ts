import type { Json } from "@/lib/session/json/json.ts";
import { isJsonObject } from "@/lib/session/json/json.ts";

/** How deep parameters are searched. */
const DEPTH = 4;

/** A plain value. */
export type Plain = string | number | boolean;

/** The first plain value of a call's parameters, which distinguishes two calls of one tool. Null for none. */
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
