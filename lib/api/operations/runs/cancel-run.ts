import { z } from "zod";
import { actorOf } from "../../../access/caller.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { operation } from "../../operation.ts";

/** Cancels a run (P24). */
export const cancelRun = operation({
  name: "cancelRun",
  permission: "operate",
  method: "POST",
  path: "/api/runs/{id}/cancel",
  summary: "Cancels a run of this server: no further call starts, and its confirmations are closed.",
  params: z.object({ id: identifier }),
  answers: {
    202: { description: "The run is cancelled, now or before.", schema: z.object({ run_id: z.string() }) },
    404: refusal("This server has no such run."),
    409: refusal("The run has already ended."),
  },
  async run({ params: { id }, requester, audit }, { engine, runs }) {
    await engine.cancel(id, actorOf(requester.caller));
    const run = await runs.find(id);
    await audit({
      action: "run.cancelled",
      target: `run:${id}`,
      after: { conversation_id: run?.conversation_id ?? null },
    });
    return answerJson({ run_id: id }, 202);
  },
});
