import { z } from "zod";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson } from "../../answers/answer.ts";
import { confirmationStatus, listedConfirmation, page } from "../../answers/answers.ts";
import { cursor, limit } from "../../fields.ts";
import { operation } from "../../operation.ts";

/** Lists confirmations, pending or decided (E14). */
export const listConfirmations = operation({
  name: "listConfirmations",
  permission: "read",
  method: "GET",
  path: "/api/confirmations",
  summary: "Lists confirmations, oldest first; filtered by a decision, newest first.",
  query: z.strictObject({
    status: confirmationStatus.optional().describe("`requested`: pending confirmations."),
    conversation_id: identifier.optional(),
    cursor: cursor.optional(),
    limit,
  }),
  answers: { 200: { description: "A page of confirmations.", schema: page(listedConfirmation) } },
  run: async ({ query }, { confirmations }) => answerJson(await confirmations.list(query)),
});
