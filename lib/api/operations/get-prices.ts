import { z } from "zod";
import { answerJson } from "../answers/answer.ts";
import { operation } from "../operation.ts";

/** Returns the prices of models, as configured. */
export const getPrices = operation({
  name: "getPrices",
  permission: "read",
  method: "GET",
  path: "/api/prices",
  summary: "Returns model prices from `prices.json` in the agents folder. Models without a known price are missing.",
  answers: {
    200: {
      description: "Prices per million tokens, by model.",
      schema: z.record(z.string(), z.object({ input: z.number(), output: z.number(), currency: z.string() })),
    },
  },
  run: async (_input, { prices }) => answerJson(prices),
});
