import { type AGUIEvent, EventType } from "@ag-ui/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { NewEvent } from "../../../db/repositories.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { folded } from "../testing/stored.ts";
import { readEvent } from "./event.ts";
import { MappedState } from "./mapped-state.ts";
import { RunMapper } from "./run-mapper.ts";
import { anyStream } from "./testing/streams.ts";

const RUN = { threadId: "thread", runId: "run" };

/** AG-UI events after the run's start, ingested into an empty log. */
function told(...stream: AGUIEvent[]): NewEvent[] {
  const teller = new RunMapper("thread", "run", new MappedState());
  return [{ type: EventType.RUN_STARTED, ...RUN } as const, ...stream].flatMap((event, index) =>
    teller.take(readEvent(JSON.parse(JSON.stringify(event)), index + 1), index + 1),
  );
}

/** The run of a stream as a reader of the protocol has it at the end. */
function asRead(stream: readonly AGUIEvent[]) {
  const texts = new Map<string, string>();
  let state: JsonObject = {};
  for (const event of stream) {
    if (event.type === EventType.TEXT_MESSAGE_START) texts.set(event.messageId, "");
    if (event.type === EventType.TEXT_MESSAGE_CONTENT || event.type === EventType.TEXT_MESSAGE_CHUNK) {
      const id = event.messageId ?? "";
      texts.set(id, (texts.get(id) ?? "") + (event.delta ?? ""));
    }
    if (event.type === EventType.STATE_SNAPSHOT) state = event.snapshot;
    if (event.type === EventType.STATE_DELTA)
      for (const each of event.delta) if (each.op === "add") state = { ...state, [each.path.slice(1)]: each.value };
  }
  return { texts, state };
}

/** A key removed at the root is null here. */
const withoutNulls = (state: Json | undefined) =>
  Object.entries(isJsonObject(state) ? state : {}).filter(([, value]) => value !== null);

test("AG-UI: texts and state of a run equal those of a reader of the protocol", () => {
  fc.assert(
    fc.property(anyStream, (stream) => {
      const next = stream.findIndex(({ type }, index) => index > 0 && type === EventType.RUN_STARTED);
      const [, ...run] = next < 0 ? stream : stream.slice(0, next);
      const isOpen = run.at(-1)?.type === EventType.TEXT_MESSAGE_CHUNK;
      const session = folded(
        told(...run, ...(isOpen ? [{ type: EventType.CUSTOM, name: "end", value: 1 } as const] : [])),
      );
      const { texts, state } = asRead(run);
      expect(session.messages.map(({ id, content }) => [id, content]).sort()).toEqual([...texts].sort());
      const [first] = [...session.runs.values()];
      expect(new Map(withoutNulls(first?.state[""]))).toEqual(new Map(withoutNulls(state)));
    }),
    { numRuns: 300 },
  );
});

test("AG-UI: a key removed below the root is gone, and its parent is written as a whole", () => {
  const events = told(
    { type: EventType.STATE_SNAPSHOT, snapshot: { order: { id: 1, note: "x" }, left: true } },
    { type: EventType.STATE_DELTA, delta: [{ op: "remove", path: "/order/note" }] },
    { type: EventType.STATE_DELTA, delta: [{ op: "remove", path: "/left" }] },
  );
  expect(events.filter(({ type }) => type === "state.written").map(({ payload }) => payload)).toEqual([
    { path: "†state", value: { order: { id: 1, note: "x" }, left: true } },
    { path: "†state.order", value: { id: 1 } },
    { path: "†state.left", value: null },
  ]);
});

test("AG-UI: events have the stream's times; calls are caused by the request for them", () => {
  const at = (minute: number) => Date.UTC(2026, 10, 22, 12, minute);
  const events = told(
    { type: EventType.TEXT_MESSAGE_CHUNK, messageId: "m", delta: "I look it up." },
    { type: EventType.TOOL_CALL_CHUNK, toolCallId: "c", toolCallName: "find", delta: '{"id"', timestamp: at(1) },
    { type: EventType.TOOL_CALL_CHUNK, delta: ":1}" },
    {
      type: EventType.TOOL_CALL_RESULT,
      messageId: "r",
      toolCallId: "c",
      content: "none",
      timestamp: at(2),
      metadata: { error: { code: "missing", message: "No such order" } },
    },
    {
      type: EventType.RUN_ERROR,
      message: "It broke",
      code: "lost",
      usage: [{ model: "gpt-5", inputTokens: 7, outputTokens: 2 }],
    },
  );
  const [call] = folded(events).calls.values();
  expect(call).toMatchObject({
    params: { id: 1 },
    status: "failed",
    error: { code: "missing", message: "No such order" },
  });
  expect(events.find(({ type }) => type === "call.failed")?.occurred_at).toBe("2026-11-22T12:02:00.000Z");
  const message = events.find(({ type }) => type === "message.created");
  expect(events.find(({ type }) => type === "run.iteration")?.caused_by).toBe(message?.id);
  expect(events.find(({ type }) => type === "model.responded")?.payload).toEqual({
    ...{ model: "gpt-5", provider: "unknown", input_tokens: 7, output_tokens: 2 },
  });
  expect([...folded(events).runs.values()]).toMatchObject([{ status: "failed", error: { code: "lost" } }]);
});

test("AG-UI: open texts are limited to 5 MB", () => {
  const piece: AGUIEvent = { type: EventType.TEXT_MESSAGE_CONTENT, messageId: "m", delta: "x".repeat(1024 * 1024) };
  const start: AGUIEvent = { type: EventType.TEXT_MESSAGE_START, messageId: "m", role: "assistant" };
  expect(() => told(start, piece, piece, piece, piece, piece)).not.toThrow();
  expect(() => told(start, piece, piece, piece, piece, piece, piece)).toThrow(
    "Line 8: the message m and the other open parts exceed 5 MB",
  );
});
