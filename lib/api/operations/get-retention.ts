import { z } from "zod";
import type { RetentionState } from "../../privacy/retention.ts";
import { answerJson } from "../answer.ts";
import { noBody, noParams, noQuery, operation } from "../operation.ts";

/** What is removed by its age. */
export const retentionState = z.object({
  rules: z
    .array(
      z.object({ channel: z.string().nullable().describe("Null: all without a rule of their own."), days: z.int() }),
    )
    .readonly()
    .describe("None: everything is kept."),
  ran_at: z.iso.datetime().nullable().describe("When it looked last, since the server was started."),
  removed: z
    .object({ conversations: z.int(), events: z.int() })
    .describe("Since the server was started; the audit has all of it."),
  due: z.int().describe("Conversations that are to be removed now."),
  next: z.array(
    z.object({
      id: z.string(),
      title: z.string().nullable(),
      channel: z.string().nullable(),
      updated_at: z.iso.datetime(),
      removed_at: z.iso.datetime().describe("From then on."),
    }),
  ),
}) satisfies z.ZodType<RetentionState>;

/** Tells how long conversations are kept. */
export const getRetention = operation({
  name: "getRetention",
  permission: "admin",
  method: "GET",
  path: "/api/retention",
  summary: "Answers how long conversations are kept, what was removed by its age and what is next.",
  params: noParams,
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "The rules and how far they are carried out.", schema: retentionState } },
  run: async (_, { retention }) => answerJson(await retention.state()),
});
