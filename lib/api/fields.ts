import { z } from "zod";
import { parseReference } from "../plan/reference.ts";
import { identifier } from "../session/events/catalogue.ts";

/** The default and the maximum number of entries on a page. */
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** The maximum number of entries in a batch (E11). */
export const MAX_ENTRIES = 1_000;

/** A time in ISO 8601 with its offset, converted to UTC with milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: "must be a time such as 2026-01-31T12:00:00Z" })
  .transform((time) => new Date(time).toISOString())
  // Other years have a sign and six digits, which an import of an export refuses.
  .refine((time) => /^\d{4}-/.test(time), "must be in the years 0000 to 9999 in UTC");

/** A path of the state that can be read: `†state.deal.amount`. */
export const statePath = z
  .string()
  .max(2_000)
  .superRefine((path, context) => {
    const reference = parseReference(path);
    if (!reference.ok) context.addIssue({ code: "custom", message: `is not a valid path: ${reference.error.message}` });
    else if (reference.value.kind !== "state")
      context.addIssue({ code: "custom", message: "must be a path of †state, such as †state.deal.amount" });
  });

/** An integer in a query. */
export function numberParameter(min: number, max = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^-?\d{1,16}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(min).max(max));
}

/** The `limit` of a list. */
export const limit = numberParameter(1, MAX_LIMIT).default(DEFAULT_LIMIT);

/** The `cursor` of a list: `next` or `prev` of another page. One of two ids in any script has up to 1,700 characters. */
export const cursor = z.string().min(1, "must not be empty").max(2_000);

/** The conversation in the path. */
export const conversationParams = z.object({ id: identifier });
