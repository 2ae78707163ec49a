import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";

/** Any JSON value, unchanged: Zod's records would drop a key named `__proto__`, which is plain data here (P8). */
export const json = z.custom<Json>((value) => value !== undefined, "is required");

/** Any JSON object, unchanged. */
export const jsonObject = z.custom<JsonObject>((value) => isJson(value) && isJsonObject(value), "must be an object");

function isJson(value: unknown): value is Json {
  return value !== undefined;
}
