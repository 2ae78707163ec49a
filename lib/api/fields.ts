import { z } from "zod";
import { identifier } from "../session/catalogue.ts";
import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";

/** How many entries a page of a list has unless the caller says, and at most. */
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** How many entries one batch may have (E11). */
export const MAX_ENTRIES = 1_000;

/**
 * Any JSON value, handed on as it came: Zod's own records would leave out a key named `__proto__`, which is plain data
 * here.
 */
export const jsonValue = z.custom<Json>((value) => value !== undefined, "is required");

/** Any JSON object, handed on as it came. */
export const jsonObject = z.custom<JsonObject>((value) => isJson(value) && isJsonObject(value), "must be an object");

function isJson(value: unknown): value is Json {
  return value !== undefined;
}

/** A time in ISO 8601 with its offset, kept in UTC with milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: "must be a time such as 2026-01-31T12:00:00Z" })
  .transform((time) => new Date(time).toISOString());

/** A whole number in a query. */
export function numberParameter(min: number, max = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^-?\d{1,16}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(min).max(max));
}

/** `limit` of a list. */
export const limit = numberParameter(1, MAX_LIMIT).default(DEFAULT_LIMIT);

/** `cursor` of a list: what `next` or `prev` of another page said. */
export const cursor = z.string().min(1, "must not be empty").max(1_000);

/** The path's conversation. */
export const conversationParams = z.object({ id: identifier });
