import { z } from "zod";
import { answerJson } from "../../answers/answer.ts";
import { listedAlert, page } from "../../answers/answers.ts";
import { cursor, limit } from "../../fields.ts";
import { operation } from "../../operation.ts";

/** Lists alerts (D9). */
export const listAlerts = operation({
  name: "listAlerts",
  permission: "read",
  method: "GET",
  path: "/api/alerts",
  summary: "Lists alerts, newest first.",
  query: z.strictObject({
    status: z
      .enum(["open", "all"])
      .default("open")
      .describe("`open`: alerts whose conversation has not been handed back since."),
    cursor: cursor.optional(),
    limit,
  }),
  answers: { 200: { description: "A page of alerts.", schema: page(listedAlert) } },
  run: async ({ query }, { alerts }) => answerJson(await alerts.list(query)),
});
