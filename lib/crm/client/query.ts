import type { Json, JsonObject } from "../../session/json/json.ts";

/** A command of a batch: `crm.deal.get?id=123`, with nested parameters in PHP's format. */
export function commandText(method: string, params: JsonObject): string {
  const pairs = Object.entries(params).flatMap(([key, value]) => pairsOf(encodeURIComponent(key), value));
  return pairs.length === 0 ? method : `${method}?${pairs.join("&")}`;
}

function pairsOf(key: string, value: Json): string[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([inner, child]) => pairsOf(`${key}[${encodeURIComponent(inner)}]`, child));
  }
  return [`${key}=${encodeURIComponent(textOf(value))}`];
}

/** A query contains only strings; PHP reads these as true, false and null. */
function textOf(value: null | boolean | number | string): string {
  if (value === null) return "";
  return typeof value === "boolean" ? String(Number(value)) : String(value);
}
