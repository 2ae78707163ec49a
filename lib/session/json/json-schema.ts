import { z } from "zod";
import { isJson, isJsonObject, type Json, type JsonObject } from "./json.ts";

/** Any JSON value, unchanged: Zod's records would drop a key named `__proto__`, which is plain data here (P8). */
export const jsonValue = z.custom<Json>(isJson, "is required");

/** Any JSON object, unchanged. */
export const jsonObject = z.custom<JsonObject>((value) => isJson(value) && isJsonObject(value), "must be an object");
