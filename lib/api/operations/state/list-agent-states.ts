import { z } from "zod";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson } from "../../answers/answer.ts";
import { agentStateEntry, page } from "../../answers/answers.ts";
import { cursor, limit } from "../../fields.ts";
import { operation } from "../../operation.ts";

/** Lists agents and their keys, without values (E12). */
export const listAgentStates = operation({
  name: "listAgentStates",
  permission: "read",
  method: "GET",
  path: "/api/agent-state",
  summary: "Lists entries of agent state: agents and keys, without values.",
  query: z.strictObject({
    agent_id: identifier.optional(),
    prefix: identifier.optional().describe("The prefix of the keys."),
    cursor: cursor.optional(),
    limit,
  }),
  answers: { 200: { description: "A page of entries.", schema: page(agentStateEntry) } },
  run: async ({ query: { agent_id, ...query } }, { agentStates }) =>
    answerJson(await agentStates.list({ ...query, agentId: agent_id })),
});
