import type { Json, JsonObject } from "../../../session/json/json.ts";
import type { CallPlace } from "../../engine.ts";
import type { RunEvent } from "./run-event.ts";
import type { RunState } from "./run-state.ts";

export type ConfirmationEvent = Extract<
  RunEvent,
  { type: "confirmation.requested" | "confirmation.approved" | "confirmation.denied" }
>;

/** A run's request for approval (P22). */
export interface RunConfirmation {
  id: string;
  key: string;
  place: CallPlace;
  description: string;
  cause: "risk" | "interrupted";
  /** The requested action, or as an operator edited it. */
  action: { method: string; params: JsonObject };
  status: "requested" | "approved" | "denied";
  decided_by: string | null;
  reason: string | null;
  /** Of an interrupted call: the result that an operator entered; undefined for none. */
  result: Json | undefined;
  event_id: string;
}

export type Confirmations = Map<string, RunConfirmation>;

/** Applies an event of an approval: requested, approved or denied. */
export function applyConfirmation(run: RunState, event: ConfirmationEvent): void {
  switch (event.type) {
    case "confirmation.requested": {
      const {
        confirmation_id,
        call_id = "",
        iteration = run.iteration,
        instance = "",
        cause,
        action,
        key,
        description,
      } = event.payload;
      run.confirmations.set(confirmation_id, {
        id: confirmation_id,
        key,
        description: description ?? "",
        place: { call_id, iteration, instance },
        cause: cause ?? "risk",
        action,
        status: "requested",
        decided_by: null,
        reason: null,
        result: undefined,
        event_id: event.id,
      });
      return;
    }
    case "confirmation.approved":
      return decide(run, event, "approved");
    case "confirmation.denied":
      return decide(run, event, "denied");
    default:
      return event satisfies never;
  }
}

function decide(run: RunState, { id, payload }: { id: string; payload: Decided }, status: "approved" | "denied"): void {
  const confirmation = run.confirmations.get(payload.confirmation_id);
  if (!confirmation) return;
  confirmation.status = status;
  confirmation.decided_by = payload.decided_by ?? null;
  confirmation.reason = payload.reason ?? null;
  confirmation.result = payload.result;
  confirmation.action = payload.action ?? confirmation.action;
  confirmation.event_id = id;
}

interface Decided {
  confirmation_id: string;
  decided_by?: string | undefined;
  reason?: string | undefined;
  action?: { method: string; params: Record<string, Json> } | undefined;
  result?: Json | undefined;
}
