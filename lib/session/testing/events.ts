import fc from "fast-check";
import type { SessionEvent } from "../event.ts";
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";

const START = Date.parse("2026-11-20T09:00:00.000Z");

/** An event of a test session; one second per step. */
export function event(seq: number, type: string, payload: Json, more: Partial<SessionEvent> = {}): SessionEvent {
  const at = new Date(START + seq * 1000).toISOString();
  return {
    id: `e${seq}`,
    conversation_id: "c",
    seq,
    position: seq,
    type,
    actor: null,
    agent_id: null,
    run_id: "run",
    parent_run_id: null,
    caused_by: null,
    payload,
    occurred_at: at,
    recorded_at: at,
    ...more,
  };
}

/** Numbers steps of `[type, payload, more?]` from 1. */
export function session(...steps: [type: string, payload: Json, more?: Partial<SessionEvent>][]): SessionEvent[] {
  return steps.map(([type, payload, more], index) => event(index + 1, type, payload, more));
}

/** A `run.iteration` event with a new speaker. */
export function speaker(agent_id: string, node: string): JsonObject {
  const history = { source: "prompt", locale: "en" };
  return { agent_id, node, instructions: "Answer.", history, mode: "execute", max_iterations: 10 };
}

const callId = fc.constantFrom("a", "b", "c");
const instance = fc.constantFrom(undefined, "①", "②");
const iteration = fc.constantFrom(undefined, 1, 2);
const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 7, "text", "†state.x", { deep: { er: 1 } }, [1, { b: 2 }]),
  fc.constant<Json>("x".repeat(20_000)),
);
const path = fc.constantFrom(
  "†state",
  "†state.a",
  "†state.a.b",
  "†state.c",
  "†state.__proto__",
  "†input.a",
  "†state.",
  "state.a",
);

const step: fc.Arbitrary<[string, Json]> = fc.oneof(
  fc
    .tuple(fc.constantFrom("user", "assistant", "tool"), fc.string())
    .map(([role, content], i = 0): [string, Json] => ["message.created", { message_id: `m${i}`, role, content }]),
  fc
    .tuple(fc.constantFrom("started", "waiting", "resumed", "finished", "failed", "cancelled"))
    .map(([what]): [string, Json] => [`run.${what}`, {}]),
  iteration.map((number): [string, Json] => ["run.iteration", number === undefined ? {} : { iteration: number }]),
  fc
    .constantFrom("admin", "demo")
    .map((agent): [string, Json] => ["run.iteration", { speaker: speaker(agent, `handle_${agent}`) }]),
  fc
    .tuple(fc.constantFrom("detect_stage", "handle_admin", "END"), value)
    .map(([node, answer]): [string, Json] => ["stage.entered", { node, state: { answer } }]),
  fc.tuple(fc.constantFrom(1, 2), fc.uniqueArray(callId), instance).map(([number, ids, own]): [string, Json] => [
    "plan.proposed",
    {
      iteration: number,
      calls: ids.map((id) => ({
        _tool: "t",
        _id: id,
        x: "†state.a",
        _outputPath: "†state.b",
        ...(own ? { _instance: own } : {}),
      })),
    },
  ]),
  fc
    .tuple(
      fc.constantFrom(
        "started",
        "succeeded",
        "failed",
        "retried",
        "skipped",
        "blocked",
        "parked",
        "denied",
        "superseded",
        "cancelled",
      ),
      callId,
      instance,
      iteration,
      value,
    )
    .map(([what, id, own, number, output]): [string, Json] => [
      `call.${what}`,
      {
        call_id: id,
        tool: "t",
        output,
        params: { p: output },
        ...(own ? { instance: own } : {}),
        ...(number ? { iteration: number } : {}),
      },
    ]),
  fc
    .tuple(path, value, instance)
    .map(([where, what, own]): [string, Json] => [
      "state.written",
      { path: where, value: what, ...(own ? { instance: own } : {}) },
    ]),
  fc
    .tuple(fc.constantFrom("add", "replace", "remove", "test"), fc.constantFrom("/a", "/a/b", "/c", ""), value)
    .map(([op, at, what]): [string, Json] => [
      "memory.updated",
      { delta: [op === "remove" ? { op, path: at } : { op, path: at, value: what }] },
    ]),
  fc
    .tuple(fc.constantFrom("requested", "approved", "denied"), fc.constantFrom("k1", "k2"), callId)
    .map(([what, id, call]): [string, Json] => [
      `confirmation.${what}`,
      { confirmation_id: id, key: id, call_id: call, action: { method: "m", params: { n: 1 } } },
    ]),
  fc.constantFrom<[string, Json]>(
    ["manager.alerted", { text: "help" }],
    ["conversation.taken_over", {}],
    ["conversation.handed_back", {}],
    ["conversation.bookmarked", { seq: 1, note: "look here" }],
    ["conversation.unbookmarked", { seq: 1 }],
    ["stage.changed", { from: null, to: "demo" }],
    ["selfcheck.warned", { warnings: ["no goals"] }],
    ["log", "anything"],
    ["made.up", { what: "ever" }],
  ),
);

const runs = fc.constantFrom<Partial<SessionEvent>>(
  { run_id: "r1" },
  { run_id: "r2" },
  { run_id: "child", parent_run_id: "r1" },
  { run_id: null },
);

/** Any sequence of valid events, consistent or not, with few runs, calls and instances. */
export const anySession: fc.Arbitrary<SessionEvent[]> = fc
  .array(fc.tuple(step, runs, fc.boolean()), { maxLength: 60 })
  .map((steps) =>
    steps.map(([[type, payload], more, timed], index) =>
      event(index + 1, type, payload, timed ? more : { ...more, occurred_at: null }),
    ),
  );

/** The same events in a conversation, with ids that are unique to it. */
export function inConversation(id: string, events: readonly SessionEvent[]): SessionEvent[] {
  return events.map((one) => ({
    ...one,
    id: `${id}/${one.id}`,
    conversation_id: id,
    payload:
      isJsonObject(one.payload) && typeof one.payload.confirmation_id === "string"
        ? { ...one.payload, confirmation_id: `${id}/${one.payload.confirmation_id}` }
        : one.payload,
  }));
}
