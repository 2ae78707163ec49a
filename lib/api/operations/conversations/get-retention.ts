import { z } from "zod";
import type { RetentionState } from "../../../privacy/retention.ts";
import { answerJson } from "../../answers/answer.ts";
import { operation } from "../../operation.ts";

/** The retention rules and what is due. */
export const retentionState = z.object({
  rules: z
    .array(
      z.object({
        channel: z.string().nullable().describe("Null: all channels without a rule of their own."),
        days: z.int(),
      }),
    )
    .readonly()
    .describe("Empty: everything is kept."),
  ran_at: z.iso.datetime().nullable().describe("The last check since the server started."),
  removed: z
    .object({ conversations: z.int(), events: z.int() })
    .describe("Since the server started; the audit has the full record."),
  due: z.int().describe("Conversations due for removal."),
  next: z.array(
    z.object({
      id: z.string(),
      title: z.string().nullable(),
      channel: z.string().nullable(),
      updated_at: z.iso.datetime(),
      removed_at: z.iso.datetime().describe("The earliest time of removal."),
    }),
  ),
}) satisfies z.ZodType<RetentionState>;

/** Returns how long conversations are kept. */
export const getRetention = operation({
  name: "getRetention",
  permission: "admin",
  method: "GET",
  path: "/api/retention",
  summary: "Returns the retention rules, what was removed, and what is due next.",
  answers: { 200: { description: "The rules and their progress.", schema: retentionState } },
  run: async (_, { retention }) => answerJson(await retention.state()),
});
