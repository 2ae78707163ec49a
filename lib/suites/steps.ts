import { isKnown, type SessionEvent } from "../session/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";
import { callKey } from "../session/keys.ts";
import type { CallResult, CallStep, Step, Turn } from "./case.ts";

/** What an agent did in these events, in order: calls where they started, and what it said. */
export function stepsOf(events: readonly SessionEvent[]): Step[] {
  return turnsOf(events).flatMap(({ steps }) => steps);
}

/**
 * The same by users' messages: each with what was done until the next one. What was done before the first belongs to a turn
 * without a message.
 */
export function turnsOf(events: readonly SessionEvent[]): Turn[] {
  const turns: Turn[] = [];
  const open = new Map<string, CallStep>();
  const add = (step: Step) => {
    const last = turns.at(-1);
    if (last) last.steps.push(step);
    else turns.push({ message: "", steps: [step] });
  };
  for (const event of events) {
    if (!isKnown(event)) continue;
    const { type, payload, seq } = event;
    if (type === "message.created") {
      if (payload.role === "user") turns.push({ message: payload.content, steps: [] });
      else if (payload.role === "assistant" && payload.content.trim() !== "" && !isServers(payload.metadata))
        add({ kind: "says", seq, content: payload.content });
    } else if (type === "call.started") {
      const { call_id, tool, params } = payload;
      const known = open.get(placeOf(event));
      // Another try of the same call.
      if (known && known.result === null) known.params = objectOf(params);
      else {
        const call: CallStep = {
          kind: "call",
          seq,
          call_id,
          tool,
          params: objectOf(params),
          result: null,
          branch: null,
        };
        open.set(placeOf(event), call);
        add(call);
      }
    } else if (type === "call.succeeded" || type === "call.superseded" || type === "call.failed") {
      const call = open.get(placeOf(event));
      if (!call) continue;
      const { output = null, error, branch = null } = payload;
      const result: CallResult = error ? { ok: false, error } : { ok: true, output };
      Object.assign(call, { result, branch });
    }
  }
  return turns;
}

/** Messages whose words are the server's, not the agent's: that it waits, failed, was cancelled or has nothing to say. */
const SERVERS = ["awaits", "planned", "failed", "silent", "cancelled", "escalated"];

function isServers(metadata: JsonObject | undefined): boolean {
  return metadata !== undefined && SERVERS.some((mark) => metadata[mark] !== undefined);
}

function placeOf(event: SessionEvent): string {
  const { call_id = "", iteration = 0, instance = "" } = isJsonObject(event.payload) ? event.payload : {};
  return callKey(event.run_id, Number(iteration), String(instance), String(call_id));
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
