import type { JsonObject } from "../lib/session/json/json.ts";

/** An event of `POST /api/events`. */
export interface PostedEvent {
  id: string;
  conversation_id: string;
  type: string;
  actor: string;
  run_id: string;
  payload: JsonObject;
  occurred_at: string;
}

const START = Date.UTC(2026, 0, 5, 9);
const STEP_MS = 250;

/**
 * An endless session of a support agent: turns with a question, a plan of three calls that write state, and an answer.
 * An event has about 330 bytes of JSON.
 */
export function* sessionEvents(conversationId: string): Generator<PostedEvent> {
  let step = 0;
  const event = (turn: number, type: string, actor: string, payload: JsonObject): PostedEvent => ({
    id: `${conversationId}-${step}`,
    conversation_id: conversationId,
    type,
    actor,
    run_id: `${conversationId}-run-${turn}`,
    payload,
    occurred_at: new Date(START + STEP_MS * step++).toISOString(),
  });
  for (let turn = 0; ; turn += 1) {
    yield event(turn, "message.created", "user:alice", {
      message_id: `${conversationId}-question-${turn}`,
      role: "user",
      content: `Where is order ${turn}? It was promised for Friday, and the tracking page has not changed since Monday.`,
    });
    yield event(turn, "run.started", "agent:support", { mode: "execute" });
    yield event(turn, "plan.proposed", "agent:support", { iteration: 0, calls: plan(turn) });
    for (const tool of TOOLS) {
      const call = { call_id: tool.id, iteration: 0, tool: tool.name };
      const value = { order: turn, carrier: "Nordpost", parcel: `NP-${turn}-884213`, status: "in transit", delay: 2 };
      yield event(turn, "call.started", `tool:${tool.name}`, { ...call, params: { order: turn, verbose: true } });
      yield event(turn, "call.succeeded", `tool:${tool.name}`, { ...call, output: value });
      yield event(turn, "state.written", `tool:${tool.name}`, {
        path: tool.path,
        value,
        call_id: tool.id,
        iteration: 0,
      });
    }
    yield event(turn, "message.created", "agent:support", {
      message_id: `${conversationId}-answer-${turn}`,
      role: "assistant",
      content: `Order ${turn} is with Nordpost, two days late. It should reach you on Sunday; I have told the carrier.`,
    });
    yield event(turn, "run.finished", "agent:support", { output: { resolved: true } });
  }
}

const TOOLS = [
  { id: "find", name: "orders.find", path: "†state.order" },
  { id: "track", name: "carrier.track", path: "†state.parcel" },
  { id: "tell", name: "carrier.tell", path: "†state.note" },
];

function plan(turn: number): JsonObject[] {
  return TOOLS.map((tool) => ({ _tool: tool.name, _id: tool.id, _outputPath: tool.path, order: turn }));
}

/** Takes the next `count` events. */
export function take(events: Iterator<PostedEvent, unknown>, count: number): PostedEvent[] {
  return Array.from({ length: count }, () => {
    const next = events.next();
    if (next.done) throw new Error("A session for benchmarks has no end");
    return next.value as PostedEvent;
  });
}
