import { z } from "zod";
import { answerJson } from "../../answers/answer.ts";
import { conversationStatus } from "../../answers/answers.ts";
import { operation } from "../../operation.ts";

/** The values of filters, and the number of conversations per status. */
export const facets = z.object({
  total: z.int(),
  awaiting: z.int().describe("Pending confirmations."),
  alerts: z.int().describe("Open alerts."),
  statuses: z.record(conversationStatus, z.int()),
  channels: z.array(z.string()).describe("The 100 most frequent, as for stages and agents."),
  stages: z.array(z.string()),
  agents: z.array(z.string()),
  more: z.object({ channels: z.int(), stages: z.int(), agents: z.int() }).describe("The number of further values."),
});

/** Returns the values of the list's filters. */
export const getFacets = operation({
  name: "getFacets",
  permission: "read",
  method: "GET",
  path: "/api/facets",
  summary:
    "Returns the values of the list's filters, the number of conversations by status, and the numbers of pending confirmations and open alerts.",
  answers: {
    200: {
      description: "The filters' values.",
      schema: facets,
    },
  },
  run: async (_input, { conversations }) => answerJson(await conversations.facets()),
});
