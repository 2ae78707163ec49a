import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../session/json/json.ts";
import { ModelError } from "../../model.ts";
import { type Said, scripted } from "../../testing/scripted.ts";
import { echo, input, setup, state } from "../../testing/setup.ts";
import type { Activity } from "../../tools/activity.ts";

const value = { properties: { value: {} } };
const tools = { echo: { activity: echo, schema: value } };
const say = (id: string, value: Json, output?: string): JsonObject => ({
  ...{ _tool: "echo", _id: id, value },
  ...(output === undefined ? {} : { _outputPath: output }),
});

describe("P19: the outer loop", () => {
  test("a plan is asked for, run, and the enriched context goes into the next request, until there are no calls", async () => {
    const { model, asked } = scripted({ calls: [say("a", "†input.n", "†state.a")] }, { calls: [], output: "all done" });
    const bench = setup({ tools, model });
    const id = await bench.run(null, { context: [input({ n: 1 })] });
    expect(bench.runOf(id)).toMatchObject({ status: "finished", iteration: 2 });
    expect(bench.events("run.finished")[0]?.payload.output).toBe("all done");
    expect(JSON.stringify(asked[1]?.input)).toContain('\\"a\\":1');
    expect(bench.types.filter((type) => /^(run|model|plan)\./.test(type))).toEqual([
      ...["run.started", "run.iteration", "model.requested", "model.responded", "plan.proposed", "plan.validated"],
      ...["run.iteration", "model.requested", "model.responded", "plan.proposed", "plan.validated", "run.finished"],
    ]);
  });

  test("an output with calls that none is lost of ends it, its references resolved after them", async () => {
    const { model } = scripted({ calls: [say("a", 5, "†state.a")], output: { got: "†state.a" } });
    const bench = setup({ tools, model });
    await bench.run(null);
    expect(bench.events("run.finished")[0]?.payload.output).toEqual({ got: 5 });
  });

  test("a call that failed goes back as an error, and the run goes on", async () => {
    const fails: Activity = () => Promise.reject(new Error("the bank is closed"));
    const { model, asked } = scripted(
      { calls: [{ _tool: "fails", _id: "f", _outputPath: "†state.f" }], output: "as if nothing had happened" },
      { calls: [], output: "sorry" },
    );
    const bench = setup({ tools: { ...tools, fails: { activity: fails, schema: {} } }, model });
    const id = await bench.run(null);
    expect(bench.runOf(id).status).toBe("finished");
    expect(JSON.stringify(asked[1]?.input)).toContain("the bank is closed");
  });

  test("an answer without calls ends it, be there an output or not", async () => {
    const bench = setup({ tools, model: scripted({ calls: [] }).model });
    const id = await bench.run(null);
    expect(bench.runOf(id)).toMatchObject({ status: "finished", iteration: 1 });
  });

  test("a plan that does not hold goes back with its problems", async () => {
    const { model, asked } = scripted({ calls: [say("a", "†state.never")] }, { calls: [], output: 1 });
    const bench = setup({ tools, model });
    const id = await bench.run(null);
    expect(bench.types).toContain("plan.rejected");
    expect(bench.types).not.toContain("call.started");
    expect(JSON.stringify(asked[1]?.input)).toContain("unbound");
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("an output has to fit the schema that is asked for; until it does the run goes on", async () => {
    const { model, asked } = scripted({ calls: [], output: "many" }, { calls: [] }, { calls: [], output: 3 });
    const bench = setup({ tools, model });
    const id = await bench.run(null, { output_schema: { type: "integer" } });
    expect(asked).toHaveLength(3);
    expect(JSON.stringify(asked[1]?.input)).toContain("invalid_output");
    expect(bench.runOf(id).status).toBe("finished");
    expect(bench.events("run.finished")[0]?.payload.output).toBe(3);
  });

  test("the limit of iterations ends it with a clear error, 10 where none is given", async () => {
    const again = Array.from({ length: 20 }, (_, index) => ({ calls: [say(`a${index}`, index)] }));
    const bench = setup({ tools, model: scripted(...again).model });
    const id = await bench.run(null);
    expect(bench.runOf(id)).toMatchObject({ status: "failed", iteration: 10, error: { code: "iteration_limit" } });
    const other = setup({ tools, model: scripted(...again).model });
    const three = await other.run(null, { max_iterations: 3 });
    expect(other.runOf(three).iteration).toBe(3);
  });

  test("a model that fails fails the run, and can be asked again", async () => {
    const { model } = scripted(new ModelError("overloaded", "The model is busy"), { calls: [], output: "better" });
    const bench = setup({ tools, model });
    const id = await bench.run(null);
    expect(bench.runOf(id).error).toMatchObject({ code: "model_failed" });
    await bench.clock.until(bench.engine.resume(id, [], "operator:ann"));
    await bench.settle(id);
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("P24: a budget of tokens ends it", async () => {
    const again = Array.from({ length: 5 }, (_, index) => ({ calls: [say(`a${index}`, index)] }));
    const bench = setup({ tools, model: scripted(...again).model });
    const id = await bench.run(null, { budget: { tokens: 200 } });
    expect(bench.runOf(id).error).toMatchObject({ code: "budget_spent" });
    expect(bench.events("model.responded")).toHaveLength(2);
  });

  test("without a model there has to be a plan", async () => {
    await expect(setup({ tools }).run(null)).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("P2a: a latent tool's result is asked of the model in a request of its own", async () => {
    const { model, asked } = scripted({ result: "blue" } as Said);
    const schema = { properties: { of: {}, _output: { type: "string" } } };
    const bench = setup({ tools: { colour: { schema } }, model });
    const id = await bench.run([{ _tool: "colour", _id: "c", of: "the sky", _outputPath: "†state.c" }]);
    expect(bench.state(id)).toEqual({ c: "blue" });
    expect(asked).toHaveLength(1);
    expect(bench.types.filter((type) => type.startsWith("model."))).toEqual(["model.requested", "model.responded"]);
  });

  test("P27: a delegate without a plan is planned by the model, in its clean room", async () => {
    const { model, asked } = scripted({ calls: [], output: "translated" });
    const bench = setup({ tools: { hand: {} }, model, delegates: [{ name: "translator" }] });
    const id = await bench.run(
      [{ _tool: "hand", _id: "h", _delegate: "translator", text: "hej", _outputPath: "†state.h" }],
      {
        context: [state({ secret: "mine" })],
      },
    );
    expect(bench.state(id)).toEqual({ secret: "mine", h: "translated" });
    expect(JSON.stringify(asked)).toContain("hej");
    expect(JSON.stringify(asked)).not.toContain("mine");
  });
});

describe("P19a: native function calls", () => {
  test("are calls of the iteration, and their results go back as their outputs", async () => {
    const { model, asked } = scripted(
      { native: [{ call_id: "fc_1", name: "echo", arguments: '{"value":"hi","_outputPath":"†state.said"}' }] },
      { calls: [], output: "ok" },
    );
    const bench = setup({ tools, model });
    const id = await bench.run(null);
    expect(bench.state(id)).toEqual({ said: "hi" });
    const items = asked[1]?.input ?? [];
    expect(items).toContainEqual({ type: "function_call_output", call_id: "fc_1", output: '"hi"' });
  });
});

describe("P19: what cannot be read of an answer", () => {
  test("goes back to the model, and the run does not end on such an answer", async () => {
    const { model, asked } = scripted(
      {
        native: [{ call_id: "fc_1", name: "echo", arguments: "{broken" }],
        text: JSON.stringify({ calls: [say("a", 1, "†state.a")], output: "done" }),
      },
      { calls: [], output: "now it is" },
    );
    const bench = setup({ tools, model });
    const id = await bench.run(null);
    expect(bench.state(id)).toEqual({ a: 1 });
    expect(JSON.stringify(asked[1]?.input)).toContain("malformed_arguments");
    expect(bench.events("run.finished")[0]?.payload.output).toBe("now it is");
  });
});

describe("P19b: replanning", () => {
  test("a call that repeats one that succeeded is skipped as done; anything else about it makes it another", async () => {
    let ran = 0;
    const count: Activity = async ({ value }) => {
      ran += 1;
      return value ?? null;
    };
    const first = { _tool: "count", _id: "a", value: 1 };
    const moved = { _tool: "count", _id: "d", value: 1 };
    const { model } = scripted(
      { calls: [first, { _tool: "count", _id: "b", value: 1 }, moved] },
      {
        calls: [
          { ...first, _reasoningForCall: "again" },
          { _tool: "count", _id: "b", value: 2 },
          { ...first, _id: "c" },
          { ...moved, _outputPath: "†state.d" },
        ],
      },
      { calls: [], output: null },
    );
    const bench = setup({ tools: { count: { activity: count, schema: value } }, model });
    const id = await bench.run(null);
    expect(bench.statuses(id)).toEqual({
      ...{ "1:a": "succeeded", "1:b": "succeeded", "2:a": "skipped", "2:b": "succeeded", "2:c": "succeeded" },
      ...{ "1:d": "succeeded", "2:d": "succeeded" },
    });
    expect(bench.call(id, "a").reason).toBe("Already done");
    expect(ran).toBe(6);
  });

  test("M9: what a person denied is not asked about again when the same is proposed again; anything else is", async () => {
    const risky = { activity: echo, schema: value, requires_confirmation: true };
    const call = (id: string, amount: number) => ({ _tool: "risky", _id: id, value: amount });
    const { model, asked } = scripted(
      { calls: [call("a", 1)] },
      { calls: [call("again", 1), call("less", 0)] },
      { calls: [], output: "well" },
    );
    const bench = setup({ tools: { risky }, model });
    const id = await bench.run(null);
    await bench.decide({ decision: "deny" });
    await bench.settle(id);
    await bench.decide({ decision: "approve" }, "less");
    await bench.settle(id);
    expect(bench.statuses(id)).toEqual({ "1:a": "denied", "2:again": "denied", "2:less": "succeeded" });
    expect(JSON.stringify(asked[2]?.input)).toContain("operator:ann denied it before in this run");
    expect(bench.session().confirmations.size).toBe(2);
  });

  test("state and its targets carry over", async () => {
    const { model } = scripted(
      { calls: [say("a", 1, "†state.x")] },
      { calls: [say("b", 2, "†state.x"), say("c", "†state.x", "†state.y")] },
      { calls: [], output: "†state.y" },
    );
    const bench = setup({ tools, model });
    const id = await bench.run(null);
    expect(bench.state(id)).toEqual({ x: 1, y: 1 });
    expect(bench.statuses(id)).toMatchObject({ "2:b": "skipped" });
  });
});
