import { isJsonObject, type Json, type JsonObject } from "../../lib/session/json/json.ts";

/** What the scripted model says as a judge: the lowest value where something failed, else the highest. */
export function judge(schema: JsonObject, items: readonly JsonObject[]): string {
  const asked = items.map(({ content }) => (typeof content === "string" ? content : "")).join("\n");
  const isBad = /\b(?:failed|failure|сбой|ошибка)\b/iu.test(asked);
  const reason = isBad ? "Something failed in this turn." : "Nothing failed in this turn.";
  return JSON.stringify({ reason, value: judged(schema, isBad) });
}

function judged({ properties }: JsonObject, isBad: boolean): Json {
  const value = isJsonObject(properties) ? properties.value : undefined;
  if (!isJsonObject(value)) return !isBad;
  const { type, enum: values, description } = value;
  if (type === "boolean") return !isBad;
  if (Array.isArray(values)) return (isBad ? values.at(-1) : values[0]) ?? null;
  const [low = 0, high = 1] =
    String(description)
      .match(/-?\d+(?:\.\d+)?/g)
      ?.map(Number) ?? [];
  return isBad ? low : high;
}
