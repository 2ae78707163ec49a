import { z } from "zod";
import type { Json, JsonObject } from "../../session/json/json.ts";

/** What a portal answers when a method has done its work. */
export interface Answer {
  result: Json;
  /** How many there are in all, of a list. */
  total?: number;
  /** The `start` of the next page, while there is one. */
  next?: number;
  /** How long it took, and how much of the portal's limit is used up. */
  time?: JsonObject;
}

/** An error as a portal tells it. */
export interface Refusal {
  /** "" where the portal gives none, as for an object that is not there. */
  error: string;
  error_description: string;
}

/** What a batch did, by the names of its commands. A command that failed, or was not reached, has no result. */
export interface BatchAnswer {
  result: JsonObject;
  result_error: Record<string, Refusal>;
  result_total: Record<string, number>;
  result_next: Record<string, number>;
}

const json = z.custom<Json>((value) => value !== undefined);
const count = z.union([z.int().min(0), z.string().regex(/^\d+$/).transform(Number)]);

const answer = z.object({
  result: json,
  total: count.optional().catch(undefined),
  next: count.optional().catch(undefined),
  time: z.record(z.string(), json).optional().catch(undefined),
});

const refusal = z.object({
  error: z.union([z.string(), z.number()]).transform(String),
  error_description: z
    .string()
    .nullish()
    .transform((text) => text ?? ""),
});

/** PHP writes a map without entries as `[]`, and one with the keys 0, 1, … as a list. */
function mapOf<T extends z.ZodType>(entry: T) {
  return z
    .union([z.array(entry).transform((list) => Object.fromEntries(Object.entries(list))), z.record(z.string(), entry)])
    .default({});
}

const batch = z.object({
  result: mapOf(json),
  result_error: mapOf(refusal),
  result_total: mapOf(count),
  result_next: mapOf(count),
});

/** Reads a body as an answer; null when it is none. */
export function readAnswer(body: Json): Answer | null {
  return answer.safeParse(body).data ?? null;
}

/** Reads a body as a refusal, which is known by its key `error`, not by its status; null when it is none. */
export function readRefusal(body: Json): Refusal | null {
  return refusal.safeParse(body).data ?? null;
}

/** Reads the result of `batch`; null when it is none. */
export function readBatch(result: Json): BatchAnswer | null {
  return batch.safeParse(result).data ?? null;
}

/** The items of a list, whatever the method calls them: `[…]` or `{"tasks": […]}`. Null when there are none of either. */
export function readItems(result: Json): Json[] | null {
  if (Array.isArray(result)) return result;
  if (typeof result !== "object" || result === null) return null;
  const [items, ...others] = Object.values(result).filter(Array.isArray);
  return items && others.length === 0 ? items : null;
}
