import { createHash } from "node:crypto";
import { isJsonObject, type Json } from "../../lib/session/json/json.ts";

/** A canonical text of an action, independent of the order of keys (P22a). */
export function actionKey({ method, params }: { method: string; params: Json }): string {
  return createHash("sha256")
    .update(canonical([method, params]))
    .digest("base64url");
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join(",")}}`;
}
