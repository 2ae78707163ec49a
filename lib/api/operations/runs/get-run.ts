import { z } from "zod";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson } from "../../answers/answer.ts";
import { operation } from "../../operation.ts";

/** Whether a run is of this server's engine: only these can be cancelled or resumed (P24). */
const runOwner = z.object({
  run_id: z.string(),
  own: z.boolean().describe("True for a run of this server; false for a run of an external agent, or an unknown one."),
  conversation_id: z.string().nullable().describe("For an own run; otherwise null."),
});

/** Returns whether a run is of this server's engine. */
export const getRun = operation({
  name: "getRun",
  permission: "read",
  method: "GET",
  path: "/api/runs/{id}",
  summary: "Returns whether a run is this server's own. Own runs can be cancelled and resumed.",
  params: z.object({ id: identifier }),
  answers: { 200: { description: "The owner of the run.", schema: runOwner } },
  async run({ params: { id } }, { runs }) {
    const run = await runs.find(id);
    return answerJson({ run_id: id, own: run !== null, conversation_id: run?.conversation_id ?? null });
  },
});
