import { z } from "zod";
import type { PathHistory, Tokens } from "../../../../db/repositories.ts";
import { jsonValue } from "../../../session/json/json-schema.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { conversationParams, cursor, limit, numberParameter, statePath } from "../../fields.ts";
import { operation } from "../../operation.ts";

const text = z.string().nullable();

/** Writes and reads of a state path. */
export const pathHistory = z.object({
  items: z.array(
    z.object({
      seq: z.int(),
      kind: z.enum(["written", "read"]),
      at: z.iso.datetime().nullable(),
      run_id: text,
      iteration: z.int(),
      instance: z.string(),
      call_id: text,
      tool: text,
      actor: text,
      path: z.string(),
      value: jsonValue.optional(),
    }),
  ),
  next: text,
}) satisfies z.ZodType<PathHistory>;

/** Lists the steps that wrote or read a state path. */
export const getStateHistory = operation({
  name: "getStateHistory",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/state-history",
  summary: "Lists the steps at which a state path was written or read, oldest first.",
  params: conversationParams,
  query: z.strictObject({
    path: statePath.describe("`†state.deal.amount`; includes paths above and below it."),
    instance: z.string().max(200).optional().describe("Only in this instance; empty for the state outside instances."),
    cursor: cursor.optional().describe("`next` of the previous page."),
    limit,
  }),
  answers: {
    200: {
      description: "Writes with their values, and calls that read the path. Continue with `next`.",
      schema: pathHistory,
    },
  },
  async run({ params: { id }, query: { path, instance = null, cursor, limit } }, { sessions }) {
    const history = await sessions.stateHistory(id, { path, instance, cursor, limit });
    if (history === null) throw unknownConversation(id);
    return answerJson(history);
  },
});

/** Token usage by model. */
export const tokens = z.object({
  responses: z.int(),
  unreported: z.int().describe("Responses that came without numbers of tokens; the sums do not have theirs."),
  input_tokens: z.int(),
  output_tokens: z.int(),
}) satisfies z.ZodType<Tokens>;

/** Sums the token usage of models in a range of steps. */
export const getTokens = operation({
  name: "getTokens",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/tokens",
  summary: "Sums the tokens that models reported in a range of steps.",
  params: conversationParams,
  query: z.strictObject({
    from: numberParameter(1).default(1).describe("The first step of the range."),
    to: numberParameter(1).default(Number.MAX_SAFE_INTEGER).describe("The last step of the range."),
  }),
  answers: { 200: { description: "The sums.", schema: tokens } },
  async run({ params: { id }, query }, { sessions }) {
    const sums = await sessions.tokens(id, query);
    if (sums === null) throw unknownConversation(id);
    return answerJson(sums);
  },
});
