import { z } from "zod";
import type { Services } from "../../../server/services.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { listOf, recordOf } from "../../../session/json/list.ts";
import { answerJson } from "../../answers/answer.ts";
import { confirmation } from "../../answers/answers.ts";
import { changedRequest } from "../../changed-request.ts";
import { type Decider, type DecisionInput, decideOne, isRefusal } from "../../decision.ts";
import { jsonBody, operation } from "../../operation.ts";

/** The maximum length of the list's pages. */
const MAX_IDS = 200;

const decisionsInput = z.strictObject({
  ids: listOf(identifier).min(1, "must have at least one entry").max(MAX_IDS, `must have at most ${MAX_IDS} ids`),
  decision: z.enum(["approve", "deny"]),
  reason: z.string().max(10_000).optional(),
  requested_seqs: recordOf(identifier, z.int().min(1))
    .optional()
    .describe("For each id, the confirmation's `requested_seq` that the person saw."),
});

const outcome = z.object({
  id: z.string(),
  outcome: z
    .enum(["decided", "already", "refused", "unknown"])
    .describe(
      "`already`: the same decision was made before. `refused`: it was decided differently, or cannot be decided.",
    ),
  confirmation: confirmation.optional(),
  detail: z.string().optional(),
  changed: changedRequest.optional(),
});

/** Applies one decision to several confirmations, each separately. */
export const decideConfirmations = operation({
  name: "decideConfirmations",
  permission: "decide",
  method: "POST",
  path: "/api/confirmations/decisions",
  summary:
    "Decides several confirmations the same way. Each is decided independently; a failure does not affect the others.",
  body: jsonBody(decisionsInput),
  answers: {
    200: { description: "The result of each, in request order.", schema: z.object({ items: z.array(outcome) }) },
  },
  async run({ body: { ids, requested_seqs = {}, ...decision }, ...decider }, services) {
    const seqs = new Map(Object.entries(requested_seqs));
    /** Repeated ids are decided once. */
    const begun = new Map<string, Promise<unknown>>();
    const items = ids.map((id) => {
      const decide = () => decideItem(id, { ...decision, requested_seq: seqs.get(id) }, decider, services);
      const item = begun.get(id)?.then(decide) ?? decide();
      begun.set(id, item);
      return item;
    });
    return answerJson({ items: await Promise.all(items) });
  },
});

async function decideItem(
  id: string,
  decision: DecisionInput,
  decider: Decider,
  services: Services,
): Promise<z.infer<typeof outcome>> {
  try {
    return { id, ...(await decideOne(id, decision, decider, services)) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { id, outcome: "refused", detail: `${error.message}.` };
  }
}
