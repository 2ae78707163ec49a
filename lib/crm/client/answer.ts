import { z } from "zod";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { jsonValue } from "../../session/json/json-schema.ts";

/** A successful response of a portal. */
export interface Answer {
  result: Json;
  /** The total number of items of a list. */
  total?: number;
  /** The `start` of the next page, if there is one. */
  next?: number;
  /** The time it took, and how much of the portal's rate limit is used. */
  time?: JsonObject;
}

/** An error response of a portal. */
export interface Refusal {
  /** "" if there is none, as for a missing object. */
  error: string;
  error_description: string;
}

/** The results of a batch, by command. Commands that failed or were not reached have no result. */
export interface BatchAnswer {
  result: JsonObject;
  result_error: Record<string, Refusal>;
  result_total: Record<string, number>;
  result_next: Record<string, number>;
}

const count = z.union([z.int().min(0), z.string().regex(/^\d+$/).transform(Number)]);

const answer = z.object({
  result: jsonValue,
  total: count.optional().catch(undefined),
  next: count.optional().catch(undefined),
  time: z.record(z.string(), jsonValue).optional().catch(undefined),
});

const refusal = z.object({
  error: z.union([z.string(), z.number()]).transform(String),
  error_description: z
    .string()
    .nullish()
    .transform((text) => text ?? ""),
});

/** PHP serializes an empty map as `[]`, and one with the keys 0, 1, … as a list. */
function mapOf<T extends z.ZodType>(entry: T) {
  return z
    .union([z.array(entry).transform((list) => Object.fromEntries(Object.entries(list))), z.record(z.string(), entry)])
    .default({});
}

const batch = z.object({
  result: mapOf(jsonValue),
  result_error: mapOf(refusal),
  result_total: mapOf(count),
  result_next: mapOf(count),
});

/** Parses a response; null if it is invalid. */
export function readAnswer(body: Json): Answer | null {
  return answer.safeParse(body).data ?? null;
}

/** Parses an error response, which has a key `error`, whatever its status; null if it is invalid. */
export function readRefusal(body: Json): Refusal | null {
  return refusal.safeParse(body).data ?? null;
}

/** Parses the result of `batch`; null if it is invalid. */
export function readBatch(result: Json): BatchAnswer | null {
  return batch.safeParse(result).data ?? null;
}

/** The items of a list, with or without a key: `[…]` or `{"tasks": […]}`. Null if it is neither. */
export function readItems(result: Json): Json[] | null {
  if (Array.isArray(result)) return result;
  if (typeof result !== "object" || result === null) return null;
  const [items, ...others] = Object.values(result).filter(Array.isArray);
  return items && others.length === 0 ? items : null;
}
