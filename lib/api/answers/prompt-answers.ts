import { z } from "zod";
import { ORIGINS, type RenderedPrompt } from "../../prompt/prompt.ts";

// Schemas of rendered prompts, for the documentation.

const offset = z.int().min(0);
const size = z.object({ messages: z.int(), characters: z.int().describe("Code points."), tokens: z.int() });
const stretch = { start: offset, end: offset };

/** A rendered template. */
export const renderedPrompt = z.object({
  prompt: z.string(),
  replaced: z.array(z.string()).describe("Placeholders replaced with data."),
  missing: z.array(z.string()).describe("Placeholders without data, and unknown ones."),
  warnings: z
    .array(
      z.object({
        code: z.enum(["missing", "unknown_placeholder", "unknown_timezone"]),
        placeholder: z.string(),
        detail: z.string(),
      }),
    )
    .describe("One per name, at most 100."),
  history: z.object({
    total: z.int().describe("Messages given."),
    shown: z.int().describe("Messages in the prompt."),
    original_tokens: z.int(),
    final_tokens: z.int(),
    truncated: z.boolean().describe("Messages were left out or shortened to fit."),
    before: size,
    after: size,
    left_out: z.array(z.string()).describe("Ids of messages."),
    shortened: z.array(z.string()).describe("Ids of messages."),
  }),
  tokens: z.int().describe("Estimate for the whole prompt: four characters per token."),
  parts: z
    .array(
      z.object({
        ...stretch,
        placeholder: z.string(),
        origin: z.enum(ORIGINS),
        messages: z.array(z.object({ id: z.string().nullable(), ...stretch })).optional(),
      }),
    )
    .describe("The text of each placeholder: UTF-16 offsets in the prompt, end exclusive."),
}) satisfies z.ZodType<RenderedPrompt>;
