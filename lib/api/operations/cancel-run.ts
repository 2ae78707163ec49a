import { z } from "zod";
import { actorOf } from "../../access/caller.ts";
import { identifier } from "../../session/catalogue.ts";
import { answerJson } from "../answer.ts";
import { problem } from "../answers.ts";
import { noBody, noQuery, operation } from "../operation.ts";

/** Stops a run (P24). */
export const cancelRun = operation({
  name: "cancelRun",
  permission: "operate",
  method: "POST",
  path: "/api/runs/{id}/cancel",
  summary: "Stops a run of this server: no further call starts, and what it waits for is closed.",
  params: z.object({ id: identifier }),
  query: noQuery,
  body: noBody,
  answers: {
    202: { description: "It is cancelled, or was before.", schema: z.object({ run_id: z.string() }) },
    404: { description: "There is no such run of this server's.", type: "application/problem+json", schema: problem },
    409: { description: "It has ended otherwise.", type: "application/problem+json", schema: problem },
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
