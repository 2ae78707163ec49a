import type { Json } from "./json.ts";

/** A value as text: strings trimmed, numbers as digits. Null for others. */
export function asText(value: Json): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.trim() : null;
}
