import { randomUUIDv7 } from "node:crypto";
import { z } from "zod";
import { actorOf } from "../../../access/caller.ts";
import type { Services } from "../../../server/services.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { conversation, refusal } from "../../answers/answers.ts";
import { conversationParams } from "../../fields.ts";
import { type Input, operation, optionalJsonBody } from "../../operation.ts";

const handOver = z.strictObject({ reason: z.string().max(10_000).optional() });

const shared = {
  method: "POST",
  params: conversationParams,
  body: optionalJsonBody(handOver),
} as const;

const unknown = {
  404: refusal("The conversation does not exist."),
};

/** Takes a conversation over (D11). */
export const takeOver = operation({
  ...shared,
  name: "takeOver",
  permission: "operate",
  path: "/api/conversations/{id}/takeover",
  summary:
    "Takes over a conversation: its agent is silent until it is handed back, and running or queued turns are cancelled.",
  answers: {
    200: { description: "The conversation is taken over, and its turns have ended.", schema: conversation },
    ...unknown,
  },
  async run(input, services) {
    const { id } = input.params;
    const { audit, requester } = input;
    const changed = await changeTakeover("conversation.taken_over", input, services);
    // Also if it was taken over before: the process may have ended in between.
    await services.engine.yieldToOperator(id, actorOf(requester.caller));
    if (changed) await audit({ action: "conversation.taken_over", target: `conversation:${id}` });
    return answerConversation(id, services);
  },
});

/** Hands a conversation back (D11). */
export const handBack = operation({
  ...shared,
  name: "handBack",
  permission: "operate",
  path: "/api/conversations/{id}/handback",
  summary:
    "Hands a conversation back to its agent, which answers from the next message on. Closes its alerts, even if nobody had taken over.",
  answers: {
    200: { description: "The conversation is handed back.", schema: conversation },
    ...unknown,
  },
  async run(input, services) {
    const { id } = input.params;
    const changed = await changeTakeover("conversation.handed_back", input, services);
    if (changed) await input.audit({ action: "conversation.handed_back", target: `conversation:${id}` });
    return answerConversation(id, services);
  },
});

type TakeoverType = Pick<Input<{ id: string }, unknown, z.infer<typeof handOver>>, "params" | "body" | "requester">;

/** Returns whether the state changed. */
async function changeTakeover(
  type: "conversation.taken_over" | "conversation.handed_back",
  { params: { id: conversation_id }, body: { reason }, requester }: TakeoverType,
  { log }: Services,
): Promise<boolean> {
  const done = await log.changeTakeover({
    ...{ conversation_id, type, agent_id: null, run_id: null, parent_run_id: null, caused_by: null },
    id: randomUUIDv7(),
    actor: actorOf(requester.caller),
    payload: reason === undefined ? {} : { reason },
    occurred_at: null,
  });
  if (!done) throw unknownConversation(conversation_id);
  return done.changed;
}

async function answerConversation(id: string, { conversations }: Services): Promise<Response> {
  return answerJson(await conversations.get(id));
}
