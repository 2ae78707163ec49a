import { z } from "zod";
import { identifier } from "../../../session/events/catalogue.ts";
import { jsonObject, jsonValue } from "../../../session/json/json-schema.ts";
import { answerJson } from "../../answers/answer.ts";
import { confirmation, refusal } from "../../answers/answers.ts";
import { decideOne } from "../../decision.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";

const decisionInput = z
  .strictObject({
    decision: z.enum(["approve", "deny"]),
    reason: z.string().max(10_000).optional(),
    action: z
      .strictObject({ method: identifier, params: jsonObject })
      .optional()
      .describe("Edited parameters, or another call, to carry out instead of the requested one."),
    result: jsonValue
      .optional()
      .describe("For an interrupted call: the result that the person found. The call does not run again."),
    requested_seq: z
      .int()
      .min(1)
      .optional()
      .describe(
        "The confirmation's `requested_seq` that the person saw. Required if the confirmation was requested more than once.",
      ),
  })
  .superRefine(({ decision, action, result }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (decision === "deny" && action !== undefined) refuse("action", "is only allowed when approving; omit it");
    if (decision === "deny" && result !== undefined) refuse("result", "is only allowed when approving; omit it");
    if (action !== undefined && result !== undefined) refuse("result", "cannot be combined with an action; send one");
  });

/** Decides a confirmation (P22a). Nothing else authorizes a parked call. */
export const decideConfirmation = operation({
  name: "decideConfirmation",
  permission: "decide",
  method: "POST",
  path: "/api/confirmations/{id}/decision",
  summary: "Decides a confirmation. Repeating the same decision returns it unchanged.",
  params: z.object({ id: identifier }),
  body: jsonBody(decisionInput),
  answers: {
    200: { description: "The decided confirmation.", schema: confirmation },
    404: refusal("The confirmation does not exist."),
    409: refusal(
      "Someone decided it differently, or the agent has changed its request meanwhile: `changed` has both the request that was seen and the current one.",
    ),
  },
  async run({ params: { id }, body, requester, audit }, services) {
    const decided = await decideOne(id, body, { requester, audit }, services);
    switch (decided.outcome) {
      case "decided":
      case "already":
        return answerJson(decided.confirmation);
      case "refused":
        throw new Problem("conflict", decided.detail, decided.changed && { changed: decided.changed });
      case "unknown":
        throw new Problem("not_found", decided.detail);
      default:
        return decided satisfies never;
    }
  },
});
