import { z } from "zod";
import { answerJson } from "../answer.ts";
import { conversationStatus } from "../answers.ts";
import { noBody, noParams, noQuery, operation } from "../operation.ts";

/** The values that filters can take, and how many conversations have each status. */
export const facets = z.object({
  total: z.int(),
  awaiting: z.int().describe("How many confirmations wait for a decision."),
  alerts: z.int().describe("How many alerts are open."),
  statuses: z.record(conversationStatus, z.int()),
  channels: z.array(z.string()).describe("The 100 that most conversations have; so are stages and agents."),
  stages: z.array(z.string()),
  agents: z.array(z.string()),
  more: z
    .object({ channels: z.int(), stages: z.int(), agents: z.int() })
    .describe("How many values there are beyond those."),
});

/** Answers the values that the list's filters can take. */
export const getFacets = operation({
  name: "getFacets",
  permission: "read",
  method: "GET",
  path: "/api/facets",
  summary:
    "Answers the values that the filters of the list can take, how many conversations have each status, and how many confirmations and alerts wait.",
  params: noParams,
  query: noQuery,
  body: noBody,
  answers: {
    200: {
      description: "The filters' values.",
      schema: facets,
    },
  },
  run: async (_input, { conversations }) => answerJson(await conversations.facets()),
});
