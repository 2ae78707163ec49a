import type { JsonObject } from "../../lib/session/json/json.ts";
import type { Decision, NewEvent } from "../repositories.ts";
import { newEvent, type Subject } from "./subject.ts";

/** What people are asked for. */
export const REFUND = { method: "issueRefund", params: { amount: 40, to: { customer: "c7", account: "†literal" } } };

type Event = Partial<Omit<NewEvent, "payload">> & { payload?: JsonObject };

/** A request of a confirmation, of `REFUND` unless the payload says else. */
export function requested(id: string, { payload, ...more }: Event = {}): NewEvent {
  return newEvent({
    id: `${id} requested`,
    type: "confirmation.requested",
    payload: { confirmation_id: id, key: "refund", action: REFUND, ...payload },
    ...more,
  });
}

/** A decision of a confirmation. */
export function decided(id: string, status: "approved" | "denied", { payload, ...more }: Event = {}): NewEvent {
  return newEvent({
    id: `${id} ${status}`,
    type: `confirmation.${status}`,
    payload: { confirmation_id: id, ...payload },
    ...more,
  });
}

/** A call that starts on an approval. */
export function started(callId: string, confirmationId: string, more: Event = {}): NewEvent {
  return newEvent({
    id: `${callId} started`,
    type: "call.started",
    payload: { call_id: callId, tool: "issueRefund", iteration: 1, confirmation_id: confirmationId },
    ...more,
  });
}

/** The beginning of a run; its event has the run's id. */
export function run(id: string, more: Partial<NewEvent> = {}): NewEvent {
  return newEvent({ id, type: "run.started", run_id: id, payload: {}, ...more });
}

/** What the contracts of confirmations and of decisions do to a subject: Anna approves, unless told otherwise. */
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
