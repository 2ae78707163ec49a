import { z } from "zod";
import { recordOf } from "../../session/list.ts";
import { problem } from "../answers.ts";
import { jsonBody, noParams, noQuery, operation } from "../operation.ts";
import { simulation } from "../plan-answers.ts";
import { planRequest, refuseSealed } from "../plan-request.ts";
import { textStream } from "../text-stream.ts";

const simulationRequest = planRequest.extend({
  branches: recordOf(z.string(), z.int().min(0))
    .default({})
    .describe("Which alternative of its output path a call takes, by its id; the first where none is chosen."),
});

/** Plays a plan in the mind (P18). */
export const simulatePlan = operation({
  name: "simulatePlan",
  permission: "read",
  method: "POST",
  path: "/api/plans/simulate",
  summary: "Plays a plan without any activity: what runs together, what waits, and the state after each step.",
  params: noParams,
  query: noQuery,
  body: jsonBody(simulationRequest),
  answers: {
    200: { description: "How it would go, for the first instance where there are several.", schema: simulation },
    422: { description: "The plan has errors.", type: "application/problem+json", schema: problem },
  },
  async run({ body, requester }, { engine }) {
    refuseSealed(body, requester.caller);
    return new Response(textStream(await engine.simulate(body)), {
      headers: { "content-type": "application/json", "cache-control": "no-store" },
    });
  },
});
