import { expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { conversation, sessionEvent } from "../api/answers/answers.ts";
import type { view } from "../api/answers/session-answers.ts";
import { PAYLOADS, type Payload } from "../session/events/catalogue.ts";
import type { EventType } from "../session/events/kinds.ts";
import { ObelusClient } from "./client.ts";
import type { Payloads } from "./payloads.ts";
import type { StoredConversation, StoredEvent, View } from "./reading.ts";

/** Types of payloads that are not valid in the catalogue, or with unknown fields. */
type Strange = {
  [T in keyof Payloads]: T extends EventType
    ? Payloads[T] extends Payload<T>
      ? Exclude<keyof Payloads[T], keyof Payload<T>> extends never
        ? never
        : T
      : T
    : T;
}[Exclude<keyof Payloads, "log">];

test("what the client's types allow is valid in the catalogue", () => {
  expectTypeOf<Strange>().toEqualTypeOf<never>();
  expectTypeOf<Exclude<keyof Payloads, EventType>>().toEqualTypeOf<never>();
});

test("what is read has the fields that the API returns", () => {
  expectTypeOf<z.infer<typeof conversation>>().toExtend<StoredConversation>();
  expectTypeOf<z.infer<typeof sessionEvent>>().toExtend<StoredEvent>();
  expectTypeOf<z.infer<typeof view>>().toExtend<View>();
});

test("payloads of known types are checked by the compiler, unknown types allow any JSON", () => {
  const client = new ObelusClient({ url: "http://127.0.0.1:1", maxBufferedEvents: 0 });
  client.event({ conversation_id: "c", type: "agent.thought", payload: { text: "any" } });
  // @ts-expect-error: the tool is missing.
  client.event({ conversation_id: "c", type: "call.started", payload: { call_id: "1" } });
  // @ts-expect-error: no such field.
  client.event({ conversation_id: "c", type: "conversation.titled", payload: { titel: "x" } });
  expect(client.counts().dropped.buffer_full).toBe(3);
});

test("what the helpers send is valid in the catalogue", async () => {
  const sent: string[] = [];
  const client = new ObelusClient({
    url: "http://127.0.0.1:1",
    maxBufferedEvents: 0,
    onDropped: ({ json }) => sent.push(json ?? ""),
  });
  const conversation = client.conversation("c", { title: "Orders", user_id: "alice" });
  const asked = conversation.message("user", "Where is it?", { user_id: "alice" });
  const run = conversation.run({ agent_id: "support", caused_by: asked, input: { text: "Where is it?" } });
  const model = run.model({ model: "m", provider: "p", input: [], parameters: { temperature: 0 } });
  model.responded({ output: "find", input_tokens: 3, output_tokens: 1, response_id: "r", finish_reason: "stop" });
  run.call("find", { id: 1 }, { output_path: "†state.order", reads: ["†input.id"] }).succeeded({ id: 1 });
  run.call("tell", {}).failed(Object.assign(new Error("no line"), { code: "ENOLINE", secret: "x" }));
  run.model({ model: "m", provider: "p" }).failed(new TypeError("broken"));
  run.write("†state.told", false);
  run.says("It is on its way.");
  run.finished({ told: false });
  conversation.run().failed("a word");
  conversation.run().cancelled("no time");
  const events = sent.map((json) => JSON.parse(json));
  for (const { type, payload } of events) expect(parse(type, payload)).toEqual([type, undefined]);
  expect(events.map(({ type }) => type)).toContain("state.written");
});

function parse(type: EventType, payload: unknown) {
  return [type, PAYLOADS[type].safeParse(payload).error?.message];
}
