import { z } from "zod";
import type { SimilarFailures } from "../../../../db/repositories.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { conversationParams, numberParameter } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";

const failurePlace = z.object({
  conversation_id: z.string(),
  name: z.string().nullable().describe("The conversation's title or its first words."),
  seq: z.int(),
  at: z.iso.datetime(),
  message: z.string(),
});

/** Failures of the same kind. */
export const similarFailures = z.object({
  failures: z.int(),
  conversations: z.int(),
  cut: z.boolean().describe("There may be more: only the newest 1,000 failures of the same tool are compared."),
  first: failurePlace
    .nullable()
    .describe("The earliest; if cut, among the newest and the oldest 1,000 failures of the same tool."),
  items: z.array(failurePlace).describe("The newest failure of each of the newest 5 conversations."),
}) satisfies z.ZodType<SimilarFailures>;

/** Counts the failures of the same kind as that of a step, in all conversations. */
export const getSimilarFailures = operation({
  name: "getSimilarFailures",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/failures/{seq}/similar",
  summary:
    "Counts the failures of the same kind as that of a step, in all conversations. Failures are of the same kind if tool, code and message are equal but for ids, numbers, dates and quoted texts.",
  params: conversationParams.extend({ seq: numberParameter(1) }),
  answers: {
    200: { description: "The counts, with the step's own failure.", schema: similarFailures },
    404: refusal("The conversation has no such step, or the step records no failure."),
  },
  async run({ params: { id, seq } }, { sessions }) {
    const found = await sessions.similarFailures(id, seq);
    if (found === null)
      throw new Problem(
        "not_found",
        `The conversation ${id} has no failure at step ${seq}; failures are the errors of its timeline.`,
      );
    return answerJson(found);
  },
});
