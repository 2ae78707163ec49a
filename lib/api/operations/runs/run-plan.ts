import { z } from "zod";
import { identifier } from "../../../session/events/catalogue.ts";
import { listOf } from "../../../session/json/list.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { startedRun } from "../../answers/plan-answers.ts";
import { jsonBody, operation } from "../../operation.ts";
import { planRequest, refuseSealed } from "../../plan-request.ts";

/** The maximum concurrency: more calls would only wait. */
const MOST_AT_ONCE = 1_000;

const spent = z.int().min(1).optional();

const runRequest = planRequest.extend({
  mode: z
    .enum(["execute", "confirm", "canary", "shadow"])
    .default("execute")
    .describe(
      "`confirm`: the named tools, or all, require approval. `canary`: calls that change something stay planned. `shadow`: nothing runs.",
    ),
  confirm: listOf(identifier).default([]).describe("Tools that require approval in mode `confirm`; empty for all."),
  conversation_id: identifier.optional().describe("The conversation to record it in; by default a new one."),
  user_id: identifier.optional(),
  agent_id: identifier.optional(),
  concurrency: z.int().min(1).max(MOST_AT_ONCE).optional().describe("The maximum number of concurrent calls."),
  budget: z
    .strictObject({ calls: spent, tokens: spent, time_ms: spent })
    .default({})
    .describe("The run's total budget; the run ends when any of it is used up."),
});

/** Starts a run of a plan (P19–P24). */
export const runPlan = operation({
  name: "runPlan",
  permission: "operate",
  method: "POST",
  path: "/api/plans/run",
  summary: "Runs a plan. Risky calls require approval in every mode.",
  body: jsonBody(runRequest),
  answers: {
    202: { description: "The run was started.", schema: startedRun },
    404: refusal("The conversation does not exist."),
    409: refusal("The user's memory cannot be read and was left unchanged; nothing was started."),
    422: refusal("The plan is invalid; nothing was started."),
  },
  async run({ body, requester, audit }, { engine, conversations }) {
    refuseSealed(body, requester.caller);
    const conversationId = body.conversation_id ?? null;
    if (conversationId !== null && !(await conversations.get(conversationId)))
      throw unknownConversation(conversationId);
    const { plan, tools, context, mode, confirm, budget } = body;
    const run = await engine.start({
      ...{ plan, tools, context, mode, confirm, budget },
      conversation_id: conversationId,
      user_id: body.user_id ?? null,
      agent_id: body.agent_id ?? null,
      concurrency: body.concurrency ?? null,
      max_iterations: null,
      output_schema: null,
      turn: null,
    });
    await audit({
      action: "plan.run",
      target: `run:${run.run_id}`,
      after: { conversation_id: run.conversation_id, mode, confirm, calls: plan.length },
    });
    return answerJson(run, 202);
  },
});
