import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import type { PendingAction } from "../calls/approval-policy.ts";
import type { RunCall } from "./run-call.ts";
import type { RunEvent } from "./run-event.ts";
import type { RunState } from "./run-state.ts";

/** How an event of a run changes its user's memory; `at` is ISO 8601. */
export type MemoryNote =
  | { type: "carried_out"; deed: PendingAction; result: Json; at: string }
  | { type: "failed" | "planned"; deed: PendingAction; at: string }
  | { type: "requested"; key: string; action: Action; description: string; at: string }
  | { type: "approved"; key: string; action: Action; at: string }
  | { type: "denied"; key: string; action: Action; reason: string; at: string };

interface Action {
  method: string;
  params: JsonObject;
}

/** What the memory records of an event that the run has not applied yet (M5-M9, M13). */
export function notesOf(run: RunState, event: RunEvent): MemoryNote[] {
  const at = event.occurred_at ?? "";
  switch (event.type) {
    case "call.succeeded":
    case "call.superseded": {
      const pending = doneIn(run, event);
      return pending ? [{ type: "carried_out", deed: pending, result: event.payload.output ?? null, at }] : [];
    }
    case "call.failed": {
      const pending = doneIn(run, event);
      return pending ? [{ type: "failed", deed: pending, at }] : [];
    }
    case "call.skipped": {
      const { planned = false, params, tool } = event.payload;
      const call = planned ? callOf(run, event) : undefined;
      return call ? [{ type: "planned", deed: { call, tool, params: isJsonObject(params) ? params : {} }, at }] : [];
    }
    case "plan.simulated":
      return [...run.calls()].map((call) => ({
        type: "planned",
        deed: { call, tool: call.tool, params: ownParams(call.json) },
        at,
      }));
    case "confirmation.requested": {
      const { key, action, description = "" } = event.payload;
      return [{ type: "requested", key, action, description, at }];
    }
    case "confirmation.approved":
    case "confirmation.denied": {
      const asked = run.confirmations.get(event.payload.confirmation_id);
      if (!asked) return [];
      const { key } = asked;
      if (event.type === "confirmation.approved")
        return [{ type: "approved", key, action: event.payload.action ?? asked.action, at }];
      return [{ type: "denied", key, action: asked.action, reason: event.payload.reason ?? "", at }];
    }
    default:
      return [];
  }
}

type CallEvent = Extract<RunEvent, { type: `call.${string}` }>;

/** What a call did or attempted; null for a delegate's call, whose own run records it. */
function doneIn(run: RunState, event: CallEvent): PendingAction | null {
  const call = callOf(run, event);
  if (!call || (call.plan.delegate !== null && call.tool === call.plan.tool)) return null;
  return { call, tool: call.tool, params: call.params ?? {} };
}

function callOf(run: RunState, { payload }: CallEvent): RunCall | undefined {
  const { call_id, iteration = run.iteration, instance = "" } = payload;
  return run.call({ call_id, iteration, instance });
}

/** A call's parameters in the plan. */
function ownParams(call: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(call).filter(([name]) => !name.startsWith("_")));
}
