import { z } from "zod";
import { answerJson } from "../answer.ts";
import { noBody, noParams, noQuery, operation } from "../operation.ts";

/** Answers what models cost, as the operator says. */
export const getPrices = operation({
  name: "getPrices",
  permission: "read",
  method: "GET",
  path: "/api/prices",
  summary:
    "Answers what models cost, as `prices.json` of the agents' folder says; a model that is missing has no known price.",
  params: noParams,
  query: noQuery,
  body: noBody,
  answers: {
    200: {
      description: "For a million tokens, by model.",
      schema: z.record(z.string(), z.object({ input: z.number(), output: z.number(), currency: z.string() })),
    },
  },
  run: async (_input, { prices }) => answerJson(prices),
});
