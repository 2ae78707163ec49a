import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import { asArray } from "./php-array.ts";
import { crmRefusal } from "./refusal.ts";

/** A parameter by name, ignoring case, as in CRM methods. */
export function param(params: JsonObject, name: string): Json | undefined {
  const key = Object.keys(params).find((key) => key.toLowerCase() === name);
  return key === undefined ? undefined : params[key];
}

/** An object parameter; empty by default. Throws `Refusal`. */
export function objectParam(params: JsonObject, name: string): JsonObject {
  const value = param(params, name);
  return value === undefined ? {} : requiredObject(params, name);
}

/** A required object parameter. Throws `Refusal`. */
export function requiredObject(params: JsonObject, name: string): JsonObject {
  const object = asArray(param(params, name));
  if (!object) throw crmRefusal(`Parameter '${name}' must be array.`);
  return object;
}

/** The id of a call. Throws `Refusal`. */
export function idParam(params: JsonObject): string {
  const id = positiveId(param(params, "id"));
  if (id === null) throw crmRefusal("ID is not defined or invalid.");
  return id;
}

/** A positive integer as an id; null for anything else. */
export function positiveId(value: Json | undefined): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  return /^[1-9]\d{0,14}$/.test(String(value)) ? String(value) : null;
}
