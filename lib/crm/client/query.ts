import type { Json, JsonObject } from "../../session/json/json.ts";

/** A command of a batch as a portal reads it: `crm.deal.get?id=123`, its parameters as PHP writes nested ones. */
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

/** A query knows only texts; PHP reads these as true, false and nothing. */
function textOf(value: null | boolean | number | string): string {
  if (value === null) return "";
  return typeof value === "boolean" ? String(Number(value)) : String(value);
}
