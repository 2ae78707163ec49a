import { z } from "zod";
import { recordOf } from "../../../session/json/list.ts";
import { refusal } from "../../answers/answers.ts";
import { simulation } from "../../answers/plan-answers.ts";
import { jsonBody, operation } from "../../operation.ts";
import { planRequest, refuseSealed } from "../../plan-request.ts";
import { textStream } from "../../stream/text-stream.ts";

const simulationRequest = planRequest.extend({
  branches: recordOf(z.string(), z.int().min(0))
    .default({})
    .describe("The alternative of the output path that a call takes, by call id; by default the first."),
});

/** Simulates a plan (P18). */
export const simulatePlan = operation({
  name: "simulatePlan",
  permission: "read",
  method: "POST",
  path: "/api/plans/simulate",
  summary: "Simulates a plan: which calls run together, which wait, and the state after each step.",
  body: jsonBody(simulationRequest),
  answers: {
    200: { description: "The simulation, of the first instance if there are several.", schema: simulation },
    422: refusal("The plan is invalid."),
  },
  async run({ body, requester }, { engine }) {
    refuseSealed(body, requester.caller);
    return new Response(textStream(await engine.simulate(body)), {
      headers: { "content-type": "application/json", "cache-control": "no-store" },
    });
  },
});
