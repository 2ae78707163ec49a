import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import { asArray } from "./php-array.ts";
import { crmRefusal } from "./refusal.ts";

/** A parameter by its name in whatever case, as the CRM's methods take it. */
export function param(params: JsonObject, name: string): Json | undefined {
  const key = Object.keys(params).find((key) => key.toLowerCase() === name);
  return key === undefined ? undefined : params[key];
}

/** A parameter that is an object; empty when it is not given. Throws `Refusal`. */
export function objectParam(params: JsonObject, name: string): JsonObject {
  const value = param(params, name);
  return value === undefined ? {} : requiredObject(params, name);
}

/** A parameter that has to be an object. Throws `Refusal`. */
export function requiredObject(params: JsonObject, name: string): JsonObject {
  const object = asArray(param(params, name));
  if (!object) throw crmRefusal(`Parameter '${name}' must be array.`);
  return object;
}

/** The id that a call names. Throws `Refusal`. */
export function idParam(params: JsonObject): string {
  const id = positiveId(param(params, "id"));
  if (id === null) throw crmRefusal("ID is not defined or invalid.");
  return id;
}

/** A positive whole number as an id; null for everything else. */
export function positiveId(value: Json | undefined): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  return /^[1-9]\d{0,14}$/.test(String(value)) ? String(value) : null;
}
