import { answerText } from "../../answers/answer.ts";
import { validation } from "../../answers/plan-answers.ts";
import { jsonBody, operation } from "../../operation.ts";
import { planRequest, refuseSealed } from "../../plan-request.ts";

/** Validates a plan without running it (P16). */
export const validatePlan = operation({
  name: "validatePlan",
  permission: "read",
  method: "POST",
  path: "/api/plans/validate",
  summary: "Validates a plan and returns all problems, with its graph. Nothing runs.",
  body: jsonBody(planRequest),
  answers: { 200: { description: "The result, also for an invalid plan.", schema: validation } },
  async run({ body, requester }, { engine }) {
    refuseSealed(body, requester.caller);
    return answerText(await engine.describe(body));
  },
});
