import { z } from "zod";
import { answerJson } from "../answers/answer.ts";
import { operation } from "../operation.ts";

const tried = z.object({
  channel: z.enum(["telegram", "webhook", "mail"]),
  sent: z.boolean(),
  error: z.string().nullable().describe("Why it was not sent; null if it was."),
});

/** Sends a test notification by each channel. */
export const testNotices = operation({
  name: "testNotices",
  permission: "admin",
  method: "POST",
  path: "/api/notices/test",
  summary: "Sends a test notification through every configured channel and returns the results.",
  answers: {
    200: {
      description: "The channels; empty if none is configured.",
      schema: z.object({ channels: z.array(tried) }),
    },
  },
  run: async (_input, { notices }) => answerJson({ channels: await notices.test() }),
});
