import { z } from "zod";
import { identifier, plainText } from "../session/events/catalogue.ts";
import { LONGEST_CATEGORY, LONGEST_COMMENT, LONGEST_SCORE_NAME, SCORE_SOURCES, type Score } from "./score.ts";

/** The name of a score. Filters by scores have the characters that it must not have. */
export const scoreName = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(LONGEST_SCORE_NAME)
  .regex(/^[^<>=\p{Cc}]*$/u, "must not contain <, >, = or control characters");

export const scoreValue = z.union([z.number(), z.boolean(), plainText.trim().min(1).max(LONGEST_CATEGORY)], {
  error: `must be a number, true or false, or a category of up to ${LONGEST_CATEGORY} characters`,
});

export const scoreComment = plainText.trim().max(LONGEST_COMMENT);

/** A score as it is answered and exported. */
export const score = z.strictObject({
  id: z.string(),
  seq: z.int().min(1).nullable(),
  run_id: identifier.nullable(),
  call_id: identifier.nullable(),
  name: scoreName,
  value: scoreValue,
  source: z.enum(SCORE_SOURCES),
  comment: scoreComment.nullable(),
  by: identifier.nullable(),
  at: z.iso.datetime(),
}) satisfies z.ZodType<Score>;
