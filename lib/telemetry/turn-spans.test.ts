import { expect, test } from "vitest";
import { scripted } from "../engine/testing/scripted.ts";
import { echo, type SetupOptions, setup } from "../engine/testing/setup.ts";
import { ActivityError } from "../engine/tools/activity.ts";
import type { JsonObject } from "../session/json/json.ts";
import type { PlannedSpan } from "./planned-span.ts";
import { spansOfTurn } from "./turn-spans.ts";

/** The spans of a run, and the tree of their names. */
async function spansOf(options: SetupOptions, plan: JsonObject[] | null, { content = false } = {}) {
  const bench = setup(options);
  const runId = await bench.run(plan, { agent_id: "planner" });
  const spans = spansOfTurn(bench.journal.events, { content });
  return { bench, runId, spans, tree: treeOf(spans, null), named: (name: string) => named(spans, name) };
}

function treeOf(spans: readonly PlannedSpan[], parent: string | null): unknown[] {
  return spans
    .filter((span) => span.parent === parent)
    .map(({ key, name }) => {
      const below = treeOf(spans, key);
      return below.length > 0 ? [name, below] : name;
    });
}

function named(spans: readonly PlannedSpan[], name: string): PlannedSpan[] {
  return spans.filter((span) => span.name === name);
}

const tools = { echo: { activity: echo } };
const say = (id: string, value: string) => ({ _tool: "echo", _id: id, value, _outputPath: `†state.${id}` });

test("a turn is a tree: the run, its model requests, its calls, and delegates below their calls", async () => {
  const { spans, tree, named, runId, bench } = await spansOf(
    {
      tools: { ...tools, hand: {} },
      delegates: [{ name: "polite", plan: [say("said", "†input.name")], output: "†state.said" }],
      model: scripted(
        { calls: [{ _tool: "hand", _id: "h", _delegate: "polite", name: "Ada", _outputPath: "†state.h" }] },
        { calls: [], output: "done" },
      ).model,
    },
    null,
  );
  // An SDK creates them one after another, each within its parent.
  const keys = spans.map(({ key }) => key);
  for (const { key, parent } of spans) {
    if (parent !== null) expect(keys.indexOf(parent)).toBeLessThan(keys.indexOf(key));
  }
  expect(tree).toEqual([
    [
      "invoke_agent planner",
      ["chat m", ["execute_tool hand", [["invoke_agent polite", ["execute_tool echo"]]]], "chat m"],
    ],
  ]);
  const conversation = { "gen_ai.conversation.id": bench.journal.events[0]?.conversation_id };
  expect(named("invoke_agent planner")[0]).toMatchObject({ kind: "internal", error: null });
  expect(named("invoke_agent planner")[0]?.attributes).toEqual({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.id": "planner",
    "gen_ai.agent.name": "planner",
    "gen_ai.provider.name": "p",
    "obelus.run.id": runId,
    ...conversation,
  });
  expect(named("chat m")[0]).toMatchObject({ kind: "client", error: null });
  expect(named("chat m")[0]?.attributes).toEqual({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "p",
    "gen_ai.request.model": "m",
    "gen_ai.response.model": "m",
    "gen_ai.response.id": "r",
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.output_tokens": 10,
    ...conversation,
  });
  expect(named("execute_tool hand")[0]?.attributes).toEqual({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "hand",
    "gen_ai.tool.call.id": "h",
    "gen_ai.tool.type": "function",
    "obelus.output_path": "†state.h",
    ...conversation,
  });
});

test("each span is within its parent, with the log's times", async () => {
  const slow = { activity: async () => bench.clock.sleep(1_500).then(() => "late") };
  const bench = setup({ tools: { slow } });
  await bench.run([{ _tool: "slow", _id: "s" }]);
  const spans = spansOfTurn(bench.journal.events, { content: false });
  const [run, call] = spans;
  expect(Math.round((call?.end ?? 0) - (call?.start ?? 0))).toBe(1_500);
  expect(Math.floor(run?.start ?? 0)).toBe(Date.parse(bench.events("run.started")[0]?.occurred_at ?? ""));
  expect(Math.floor(run?.end ?? 0)).toBe(Date.parse(bench.events("run.finished")[0]?.occurred_at ?? ""));
});

test("calls in one millisecond keep their order", async () => {
  const { spans, named } = await spansOf({ tools }, [say("a", "x"), say("b", "†state.a"), say("c", "†state.b")]);
  const [a, b, c] = named("execute_tool echo");
  const times = [a?.start, a?.end, b?.start, b?.end, c?.start, c?.end].map(Number);
  expect(new Set(times.map(Math.floor)).size).toBe(1);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(new Set(times).size).toBe(6);
  const [run] = spans;
  expect(run?.start).toBeLessThan(Number(a?.start));
  expect(run?.end).toBeGreaterThan(Number(c?.end));
});

test("failures are recorded: of each attempt, a model, a run", async () => {
  let attempts = 0;
  const flaky = async () => {
    attempts += 1;
    if (attempts === 1) throw new ActivityError("busy", "not now", { did_not_happen: true });
    return "well";
  };
  const retried = await spansOf({ tools: { flaky: { activity: flaky, retries: 1 } } }, [{ _tool: "flaky", _id: "f" }]);
  expect(retried.named("execute_tool flaky").map(({ error, attributes }) => [error, attributes["error.type"]])).toEqual(
    [
      ["not now", "busy"],
      [null, undefined],
    ],
  );
  const failing = await spansOf({ tools, model: scripted(new Error("no line")).model }, null);
  const [chat] = failing.named("chat m");
  expect(chat).toMatchObject({ error: "no line", attributes: { "error.type": "model_failed" } });
  const [run] = failing.named("invoke_agent planner");
  expect(run?.error).not.toBeNull();
  expect(run?.attributes["error.type"]).toBe("model_failed");
});

test("content is only included if configured, and limited", async () => {
  const options = () => ({
    tools,
    model: scripted({ calls: [say("a", "x".repeat(100_000))] }, { calls: [], output: "done" }).model,
  });
  const silent = await spansOf(options(), null);
  expect(JSON.stringify(silent.spans)).not.toMatch(/xxx|messages|arguments|instructions/);
  const { named } = await spansOf(options(), null, { content: true });
  const { attributes = {} } = named("execute_tool echo")[0] ?? {};
  expect(attributes["gen_ai.tool.call.arguments"]).toMatch(/^\{"value":"x+…$/);
  expect(String(attributes["gen_ai.tool.call.result"]).length).toBeLessThan(65_000);
  for (const { attributes } of named("chat m")) {
    const output = JSON.parse(String(attributes["gen_ai.output.messages"]));
    expect(output).toMatchObject([{ role: "assistant", finish_reason: "stop", parts: [{ type: "text" }] }]);
    expect(JSON.parse(String(attributes["gen_ai.system_instructions"]))).toMatchObject([{ type: "text" }]);
    expect(Array.isArray(JSON.parse(String(attributes["gen_ai.input.messages"])))).toBe(true);
    expect(String(attributes["gen_ai.input.messages"]).length).toBeLessThan(65_000);
  }
});
