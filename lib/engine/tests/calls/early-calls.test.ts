import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../session/json/json.ts";
import { type Model, ModelError, type ModelPart } from "../../model.ts";
import { scripted } from "../../testing/scripted.ts";
import { type Bench, echo, input, setup, state } from "../../testing/setup.ts";
import type { Activity } from "../../tools/activity.ts";

const value = { properties: { value: {} } };
const tools = { echo: { activity: echo, schema: value } };
const say = (id: string, value: Json, output?: string): JsonObject => ({
  ...{ _tool: "echo", _id: id, value },
  ...(output === undefined ? {} : { _outputPath: output }),
});

describe("P20: while the plan still streams", () => {
  /** A model whose answer comes in two halves, the second when the test says so. */
  function halting(first: JsonObject[], rest: JsonObject[]): { model: Model; go: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    let turn = 0;
    async function* respond(): AsyncIterable<ModelPart> {
      turn += 1;
      const calls = [...first, ...rest];
      const text = turn === 1 ? JSON.stringify({ calls }) : JSON.stringify({ calls: [], output: "end" });
      const half = turn === 1 ? JSON.stringify({ calls: first }).length - 2 : text.length;
      yield { type: "text", delta: text.slice(0, half) };
      if (turn === 1) await promise;
      yield { type: "text", delta: text.slice(half) };
      const answer = {
        response_id: "r",
        text,
        calls: [],
        output: [],
        input_tokens: 1,
        output_tokens: 1,
        finish_reason: "stop",
      };
      yield { type: "done", answer };
    }
    return { model: { model: "m", provider: "p", respond }, go: resolve };
  }

  /** Lets the first half come in. */
  async function firstHalf(bench: Bench): Promise<void> {
    for (let turns = 0; turns < 10; turns++) await bench.clock.until(Promise.resolve());
  }

  test("only calls that are valid by themselves, idempotent and read no state start; the rest waits for the whole", async () => {
    const { model, go } = halting(
      [
        say("early", "†input.n", "†state.early"),
        { _tool: "once", _id: "unsafe", value: 1 },
        { _tool: "risky", _id: "asked", value: 1 },
        say("reads", "†state.given"),
      ],
      [say("last", "†state.early", "†state.last")],
    );
    const bench = setup({
      tools: {
        ...tools,
        once: { activity: echo, schema: value, idempotent: false },
        risky: { activity: echo, schema: value, requires_confirmation: true },
      },
      model,
    });
    const id = await bench.start(null, { context: [input({ n: 1 }), state({ given: 1 })] });
    await firstHalf(bench);
    expect(bench.events("call.started").map(({ payload }) => payload.call_id)).toEqual(["early"]);
    expect(bench.types).not.toContain("plan.proposed");
    go();
    await bench.settle(id);
    await bench.decide({ decision: "approve" });
    await bench.settle(id);
    expect(bench.state(id)).toEqual({ given: 1, early: 1, last: 1 });
    expect(bench.events("call.started").filter(({ payload }) => payload.call_id === "early")).toHaveLength(1);
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("a call that turns out to be another one is not taken for it", async () => {
    // Without an id of its own the first would be echo#1, until a later one claims that.
    const first = { _tool: "echo", value: 1, _outputPath: "†state.first" };
    const { model, go } = halting([first], [say("echo#1", 2, "†state.second")]);
    const bench = setup({ tools, model });
    const id = await bench.start(null);
    await firstHalf(bench);
    expect(bench.types).not.toContain("call.started");
    go();
    await bench.settle(id);
    expect(bench.state(id)).toEqual({ first: 1, second: 2 });
  });

  test("P2: parameters are checked, resolved, before it starts", async () => {
    const whole = { properties: { value: { type: "integer" } } };
    const { model, go } = halting([say("early", "†input.n", "†state.early")], []);
    const bench = setup({ tools: { echo: { activity: echo, schema: whole } }, model });
    const id = await bench.start(null, { context: [input({ n: "many" })] });
    await firstHalf(bench);
    expect(bench.types).not.toContain("call.started");
    go();
    await bench.settle(id);
    expect(bench.types).not.toContain("call.succeeded");
  });

  test("P12: at its turn it ends as if it had not started: its target may be taken by then", async () => {
    const first: JsonObject = { _tool: "once", _id: "first", value: 1, _outputPath: "†state.x" };
    const { model, go } = halting([first, say("early", 2, "†state.x")], []);
    const bench = setup({ tools: { ...tools, once: { activity: echo, schema: value, idempotent: false } }, model });
    const id = await bench.start(null);
    await firstHalf(bench);
    expect(bench.events("call.started").map(({ payload }) => payload.call_id)).toEqual(["early"]);
    go();
    await bench.settle(id);
    expect(bench.state(id)).toEqual({ x: 1 });
    expect(bench.call(id, "early")).toMatchObject({ status: "skipped", reason: "†state.x is already there" });
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("P12: while it waits for its turn it holds no slot", async () => {
    const first: JsonObject = { _tool: "once", _id: "first", value: { y: 1 }, _outputPath: "†state.x" };
    const { model, go } = halting([first, say("early", 2, "†state.x.z")], []);
    const bench = setup({ tools: { ...tools, once: { activity: echo, schema: value, idempotent: false } }, model });
    const id = await bench.start(null, { concurrency: 1 });
    await firstHalf(bench);
    expect(bench.events("call.started").map(({ payload }) => payload.call_id)).toEqual(["early"]);
    go();
    await bench.settle(id);
    expect(bench.state(id)).toEqual({ x: { y: 1, z: 2 } });
  });

  test("P24: a spent budget does not wait for it, whose turn does not come any more", async () => {
    const first: JsonObject = { _tool: "once", _id: "first", value: {}, _outputPath: "†state.x" };
    const { model, go } = halting([first, say("early", 2, "†state.x.z")], []);
    const bench = setup({ tools: { ...tools, once: { activity: echo, schema: value, idempotent: false } }, model });
    const id = await bench.start(null, { budget: { calls: 1 } });
    await firstHalf(bench);
    go();
    await bench.settle(id);
    expect(bench.runOf(id).error).toMatchObject({ code: "budget_spent" });
    expect(bench.statuses(id)).toEqual({ early: "cancelled", first: "cancelled" });
  });

  test("P12, P23: taken up by another process, it waits for its turn as well", async () => {
    const first = say("first", "†state.given", "†state.x");
    const { model, go } = halting([first, say("early", 2, "†state.x")], []);
    const never = () => new Promise<never>(() => undefined);
    const before = setup({ tools: { echo: { activity: never, schema: value } }, model });
    const id = await before.start(null, { context: [state({ given: 1 })] });
    await firstHalf(before);
    go();
    while (before.events("call.started").length < 2) await before.clock.until(Promise.resolve());
    await before.engine.stop();
    const slowFirst: Activity = async (params, _scopes, { call_id }) =>
      bench.clock.sleep(call_id === "first" ? 1_000 : 1).then(() => params.value ?? null);
    const end = scripted({ calls: [], output: 1 }).model;
    const bench: Bench = before.successor({ tools: { echo: { activity: slowFirst, schema: value } }, model: end });
    await bench.clock.until(bench.engine.recover());
    await bench.settle(id);
    expect(bench.state(id)).toEqual({ given: 1, x: 1 });
    expect(bench.call(id, "early").status).toBe("skipped");
  });

  test("P23: one that was given up with its plan never lends its key to another of the same id", async () => {
    const keys: string[] = [];
    const keeping: Activity = async ({ value }, _scopes, { idempotency_key }) => {
      keys.push(`${value} ${idempotency_key.split(".").slice(1).join(".")}`);
      return value ?? null;
    };
    const { promise, reject } = Promise.withResolvers<never>();
    async function* respond(): AsyncIterable<ModelPart> {
      yield { type: "text", delta: '{"calls":[{"_tool":"echo","_id":"a","value":1}' };
      await promise;
    }
    const options = { echo: { activity: keeping, schema: value } };
    const before = setup({ tools: options, model: { model: "m", provider: "p", respond } });
    const id = await before.start(null);
    await firstHalf(before);
    reject(new ModelError("cut_stream", "The connection ended"));
    await before.settle(id);
    expect(before.runOf(id).error).toMatchObject({ code: "model_failed" });
    const again = scripted({ calls: [say("a", 2)], output: 1 }).model;
    const bench = before.successor({ tools: options, model: again });
    await bench.clock.until(bench.engine.resume(id, [], "operator:ann"));
    await bench.settle(id);
    expect(bench.runOf(id).status).toBe("finished");
    expect(keys).toEqual(["1 1.a.", "2 1.a..2"]);
  });

  test("what started counts only if the whole plan holds", async () => {
    const { model, go } = halting([say("early", 1, "†state.early")], [say("broken", "†state.never")]);
    const bench = setup({ tools, model });
    const id = await bench.start(null);
    await firstHalf(bench);
    expect(bench.types).toContain("call.started");
    go();
    await bench.settle(id);
    expect(bench.state(id)).toBeUndefined();
    expect(bench.call(id, "early").status).toBe("cancelled");
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("P23: what started early is given up with its plan when the process dies", async () => {
    const { model } = halting([say("early", 1, "†state.early")], []);
    const first = setup({ tools, model });
    const id = await first.start(null);
    await firstHalf(first);
    await first.engine.stop();
    const bench = first.successor({ tools, model: scripted({ calls: [], output: "anew" }).model });
    await bench.clock.until(bench.engine.recover());
    await bench.settle(id);
    expect(bench.call(id, "early").status).toBe("cancelled");
    expect(bench.runOf(id).status).toBe("finished");
  });
});
