import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventProblems, type ImportedConversation } from "./new-event.ts";
import { jsonRequest } from "./otlp/testing/request.ts";
import { twoToolAgent } from "./otlp/testing/spans.ts";
import { readImport } from "./read-import.ts";
import { all, folded, streamed } from "./testing/stored.ts";

const fixture = (name: string) => readFileSync(new URL(`../../e2e/fixtures/${name}`, import.meta.url), "utf8");

async function read(text: string): Promise<ImportedConversation[]> {
  const found = await all(readImport(streamed(text, 1_000)));
  expect(found.flatMap(({ events }) => events.flatMap(eventProblems))).toEqual([]);
  expect(found.flatMap(({ events }) => folded(events).warnings)).toEqual([]);
  return found;
}

const said = ({ events }: ImportedConversation) => folded(events).messages.map(({ role, content }) => [role, content]);
const calls = ({ events }: ImportedConversation) =>
  [...folded(events).calls.values()].map(({ tool, status, params, output }) => [tool, status, params, output]);

test("E14: linked responses are one conversation, with calls and results", async () => {
  const [order, weather, ...others] = await read(fixture("responses.jsonl"));
  expect(others).toEqual([]);
  expect(order?.conversation_id).toBe("resp_1");
  expect(order && said(order)).toEqual([
    ["system", "You help with orders."],
    ["user", "Where is my order 88412?"],
    ["assistant", ""],
    ["tool", '{"place":"Köln"}'],
    ["assistant", "It is in Köln."],
  ]);
  expect(order && calls(order)).toEqual([["orders_find", "succeeded", { id: 88412 }, { place: "Köln" }]]);
  expect(order?.events[0]?.payload).toMatchObject({
    metadata: {
      responses: [{ id: "resp_1", usage: { input_tokens: 120 } }, { id: "resp_2" }],
      others: [{ item: { id: "rs_1" } }],
    },
  });
  expect(weather && calls(weather)).toMatchObject([
    ["web_search", "succeeded", { action: { query: "weather" } }, { status: "completed" }],
  ]);
});

test("E14: a request with its response, and items alone, are conversations with ids derived from content", async () => {
  const input = [{ role: "user", content: "Hello" }];
  const output = [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi." }] }];
  const pair = JSON.stringify({ input, output });
  const [first] = await read(pair);
  expect(first && said(first)).toEqual([
    ["user", "Hello"],
    ["assistant", "Hi."],
  ]);
  expect((await read(pair))[0]?.conversation_id).toBe(first?.conversation_id);
  const items = await read(JSON.stringify([{ type: "message", ...input[0] }, ...output]));
  expect(items.map(said)).toEqual([said(first ?? { conversation_id: "", events: [] })]);
});

test("E14: errors in responses have their place", async () => {
  const wrong = { object: "response", id: "r", output: [{ type: "message", role: "nobody", content: "x" }] };
  await expect(read(`${JSON.stringify(wrong)}\n`)).rejects.toMatchObject({ line: 1, path: "/output/0/role" });
});

test("E3: a reasoning trace is a run, with reasoning, calls and conclusion", async () => {
  const [trace] = await read(fixture("sgr-trace.json"));
  expect(trace && calls(trace)).toEqual([["orders.find", "succeeded", { id: 88412 }, { place: "Köln" }]]);
  expect(trace && said(trace)).toEqual([["assistant", "The order is in Köln."]]);
  expect(trace?.events.filter(({ type }) => type === "log").map(({ payload }) => payload)).toMatchObject([
    { phase: "reasoning", text: "The order has to be looked up first." },
  ]);
  expect(trace?.events.find(({ type }) => type === "agent_state.written")?.payload).toMatchObject({
    agent_id: "order-keeper",
    value: JSON.parse(fixture("sgr-trace.json")),
  });
  const wrong = { agent_id: "a", conversation: { steps: [{ phase: "action" }] } };
  await expect(read(JSON.stringify([wrong]))).rejects.toMatchObject({ path: "/0/conversation/steps/0/content" });
});

test("E15: spans of a file are mapped like sent ones, whole or one export per line, in any order", async () => {
  const spans = twoToolAgent();
  const [whole] = await read(JSON.stringify(jsonRequest(spans)));
  expect(whole && calls(whole).map(([, status]) => status)).toEqual(["succeeded", "succeeded"]);
  const lines = spans.toReversed().map((span) => JSON.stringify(jsonRequest([span])));
  expect(await read(lines.join("\n"))).toEqual([whole]);
  const bad = { resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: "x" }] }] }] };
  await expect(read(`${lines[0]}\n${JSON.stringify(bad)}`)).rejects.toMatchObject({ name: "ImportError", line: 2 });
  await expect(read(`${lines[0]}\n5`)).rejects.toMatchObject({ name: "ImportError", line: 2 });
});
