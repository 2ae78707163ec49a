import type { JsonObject } from "../../../lib/session/json/json.ts";
import type { Decision, NewEvent } from "../../repositories.ts";
import { newEvent, type Subject } from "../subject.ts";

/** The action that needs approval. */
export const REFUND = { method: "issueRefund", params: { amount: 40, to: { customer: "c7", account: "†literal" } } };

type Event = Partial<Omit<NewEvent, "payload">> & { payload?: JsonObject };

/** A confirmation request, for `REFUND` unless the payload has another action. */
export function requested(id: string, { payload, ...more }: Event = {}): NewEvent {
  return newEvent({
    id: `${id} requested`,
    type: "confirmation.requested",
    payload: { confirmation_id: id, key: "refund", action: REFUND, ...payload },
    ...more,
  });
}

/** A decision on a confirmation. */
export function decided(id: string, status: "approved" | "denied", { payload, ...more }: Event = {}): NewEvent {
  return newEvent({
    id: `${id} ${status}`,
    type: `confirmation.${status}`,
    payload: { confirmation_id: id, ...payload },
    ...more,
  });
}

/** A call that starts with an approval. */
export function started(callId: string, confirmationId: string, more: Event = {}): NewEvent {
  return newEvent({
    id: `${callId} started`,
    type: "call.started",
    payload: { call_id: callId, tool: "issueRefund", iteration: 1, confirmation_id: confirmationId },
    ...more,
  });
}

/** A `run.started` event; its id is that of the run. */
export function run(id: string, more: Partial<NewEvent> = {}): NewEvent {
  return newEvent({ id, type: "run.started", run_id: id, payload: {}, ...more });
}

/** Actions on the subject for tests of confirmations and decisions. Anna approves by default. */
export function actionsOn(subject: () => Subject) {
  return {
    own: (...events: NewEvent[]) => subject().storage.log.appendOwn(events),
    outside: (...events: NewEvent[]) => subject().storage.log.append(events),
    get: (id: string) => subject().storage.confirmations.get(id),
    decide: async (confirmationId: string, more: Partial<Decision> = {}) =>
      subject().storage.log.decide({
        requestedSeq: (await subject().storage.confirmations.get(confirmationId))?.requested_seq ?? 0,
        confirmationId,
        status: "approved",
        reason: null,
        action: null,
        result: undefined,
        actor: "operator:anna",
        ...more,
      }),
  };
}
