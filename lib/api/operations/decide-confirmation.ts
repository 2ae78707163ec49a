import { z } from "zod";
import { identifier } from "../../session/catalogue.ts";
import { answerJson } from "../answer.ts";
import { confirmation, problem } from "../answers.ts";
import { decideOne } from "../decision.ts";
import { jsonObject, jsonValue } from "../fields.ts";
import { jsonBody, noQuery, operation } from "../operation.ts";
import { Problem } from "../problem.ts";

const decisionInput = z
  .strictObject({
    decision: z.enum(["approve", "deny"]),
    reason: z.string().max(10_000).optional(),
    action: z
      .strictObject({ method: identifier, params: jsonObject })
      .optional()
      .describe("Edited parameters, or another call; it is carried out in place of what was asked."),
    result: jsonValue
      .optional()
      .describe("Of a call that was interrupted: its result, as the person found it. It is not run again."),
    requested_seq: z
      .int()
      .min(1)
      .optional()
      .describe(
        "The confirmation's `requested_seq` as the person saw it. Without it, it has to be the first request there was under this id.",
      ),
  })
  .superRefine(({ decision, action, result }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (decision === "deny" && action !== undefined) refuse("action", "is only for an approval; leave it out");
    if (decision === "deny" && result !== undefined) refuse("result", "is only for an approval; leave it out");
    if (action !== undefined && result !== undefined) refuse("result", "cannot be combined with an action; send one");
  });

/** A person decides (P22a): nothing else authorizes what waits. */
export const decideConfirmation = operation({
  name: "decideConfirmation",
  permission: "decide",
  method: "POST",
  path: "/api/confirmations/{id}/decision",
  summary: "Decides a confirmation, once. The same decision again answers it as it stands.",
  params: z.object({ id: identifier }),
  query: noQuery,
  body: jsonBody(decisionInput),
  answers: {
    200: { description: "The confirmation, decided.", schema: confirmation },
    404: { description: "There is no such confirmation.", type: "application/problem+json", schema: problem },
    409: {
      description:
        "It was decided otherwise, and by whom; or its agent has asked for something else meanwhile: `changed` has what was seen and what it asks for now.",
      type: "application/problem+json",
      schema: problem,
    },
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
