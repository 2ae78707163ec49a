import { z } from "zod";
import { actorOf } from "../../../access/caller.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { listOf } from "../../../session/json/list.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { jsonBody, operation } from "../../operation.ts";

const callPlace = z.strictObject({
  call_id: identifier,
  iteration: z.int().min(1).default(1).describe("By default 1, the only one of a given plan."),
  instance: z.string().max(200).default(""),
});

const resumption = z.strictObject({
  calls: listOf(callPlace).default([]).describe("The failed calls to retry; by default all."),
});

/** Runs failed calls again and continues the run (P24). */
export const resumeRun = operation({
  name: "resumeRun",
  permission: "operate",
  method: "POST",
  path: "/api/runs/{id}/resume",
  summary: "Retries failed calls of a run; a failed run continues from there.",
  params: z.object({ id: identifier }),
  body: jsonBody(resumption),
  answers: {
    202: { description: "The calls are planned again.", schema: z.object({ run_id: z.string() }) },
    404: refusal("This server has no such run."),
    409: refusal("There is nothing to retry."),
  },
  async run({ params: { id }, body, requester, audit }, { engine, runs }) {
    await engine.resume(id, body.calls, actorOf(requester.caller));
    const run = await runs.find(id);
    await audit({
      action: "run.resumed",
      target: `run:${id}`,
      after: { conversation_id: run?.conversation_id ?? null, calls: body.calls.map(({ call_id }) => call_id) },
    });
    return answerJson({ run_id: id }, 202);
  },
});
