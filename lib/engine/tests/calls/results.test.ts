import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../../session/json/json.ts";
import { echo, input, setup, state } from "../../testing/setup.ts";
import { type Activity, ActivityError } from "../../tools/activity.ts";

const give = (id: string, value: JsonObject[string], output?: string, more: JsonObject = {}): JsonObject => ({
  _tool: "echo",
  _id: id,
  value,
  ...(output === undefined ? {} : { _outputPath: output }),
  ...more,
});
const fails = { activity: () => Promise.reject(new ActivityError("declined", "The card was declined")) };
const tools = { echo: { activity: echo }, fails };

describe("P10: where a result goes", () => {
  test("without a choice, to the first alternative", async () => {
    const bench = setup({ tools });
    const id = await bench.run([give("a", 1, "†state.x || †state.y")]);
    expect(bench.state(id)).toEqual({ x: 1 });
    expect(bench.call(id, "a").branch).toBe(0);
  });

  test("with one, to the alternative that one of its paths names", async () => {
    const bench = setup({ tools });
    const id = await bench.run([
      give("a", 1, "†state.x || †state.y && †state.z", { path: "††state.z" }),
      give("b", "†state.x"),
      give("c", "†state.y", "†state.c"),
    ]);
    expect(bench.state(id)).toEqual({ y: 1, z: 1, c: 1 });
    expect(bench.call(id, "a").branch).toBe(1);
    expect(bench.statuses(id)).toEqual({ a: "succeeded", b: "skipped", c: "succeeded" });
  });

  test("a choice that the call does not declare fails it", async () => {
    const bench = setup({ tools });
    const id = await bench.run([give("a", 1, "†state.x || †state.y", { path: "††state.other" })]);
    expect(bench.call(id, "a").error).toEqual({
      code: "undeclared_choice",
      message: "echo chose †state.other, which is not in the call's output path; it has †state.x, †state.y",
    });
    expect(bench.runOf(id).status).toBe("failed");
  });

  test.each(["error", "failed", "failure", "payment_error", "paymentError"])(
    "an error goes to a last alternative named %s, and the call counts as ended by that branch",
    async (name) => {
      const bench = setup({ tools });
      const id = await bench.run([
        { _tool: "fails", _id: "pay", _outputPath: `†state.receipt || †state.${name}` },
        give("sorry", `†state.${name}.code`, "†state.said"),
        give("thanks", "†state.receipt"),
      ]);
      expect(bench.state(id)).toEqual({
        [name]: { code: "declined", message: "The card was declined" },
        said: "declined",
      });
      expect(bench.statuses(id)).toEqual({ pay: "failed handled", sorry: "succeeded", thanks: "skipped" });
      expect(bench.runOf(id).status).toBe("finished");
    },
  );

  test("an error goes to one that the state's schema means for errors", async () => {
    const bench = setup({ tools });
    const schema = {
      type: "object",
      properties: { trouble: { type: "object", properties: { code: { type: "string" } }, required: ["code"] } },
    };
    const plan = [{ _tool: "fails", _id: "pay", _outputPath: "†state.receipt || †state.trouble" }];
    const id = await bench.run(plan, { context: [{ type: "state", schema }] });
    expect(bench.statuses(id)).toEqual({ pay: "failed handled" });
  });

  test.each(["†state.receipt || †state.other", "†state.error", "†state.error || †state.receipt"])(
    "an error goes nowhere when the output path is %s: the call fails, and what waits for it is blocked",
    async (output) => {
      const bench = setup({ tools });
      const id = await bench.run([
        { _tool: "fails", _id: "pay", _outputPath: output },
        give("after", output.split(" ")[0] ?? ""),
      ]);
      expect(bench.state(id)).toBeUndefined();
      expect(bench.statuses(id)).toEqual({ pay: "failed", after: "blocked" });
      expect(bench.runOf(id).error).toMatchObject({ code: "calls_failed" });
    },
  );

  test("an error that finds its alternative taken is not hidden by that", async () => {
    const bench = setup({ tools });
    const plan = [{ _tool: "fails", _id: "pay", _outputPath: "†state.receipt || †state.error" }];
    const id = await bench.run(plan, { context: [state({ error: "before" })] });
    expect(bench.statuses(id)).toEqual({ pay: "failed" });
    expect(bench.state(id)).toEqual({ error: "before" });
  });
});

describe("P11, P12: what can be written", () => {
  test("P11: a fan-out takes the same result to all its targets", async () => {
    const bench = setup({ tools });
    const id = await bench.run([give("a", { n: 1 }, "†state.x && †state.y.z")]);
    expect(bench.state(id)).toEqual({ x: { n: 1 }, y: { z: { n: 1 } } });
  });

  test("P11, P12: it is all or nothing: one taken target takes the alternative", async () => {
    const bench = setup({ tools });
    const id = await bench.run([give("a", 1, "†state.x && †state.y")], { context: [state({ y: 0 })] });
    expect(bench.statuses(id)).toEqual({ a: "skipped" });
    expect(bench.call(id, "a").reason).toBe("†state.x, †state.y are already there");
    expect(bench.state(id)).toEqual({ y: 0 });
  });

  test.each([null, false, 0, ""])("P12: a target at which %j is there is taken", async (value) => {
    const bench = setup({ tools });
    const id = await bench.run([give("a", 1, "†state.x")], { context: [state({ x: value })] });
    expect(bench.statuses(id)).toEqual({ a: "skipped" });
  });

  test("P12: a new key below an object is free; a call without an output path never ends for what is taken", async () => {
    const bench = setup({ tools });
    const id = await bench.run([give("a", 1, "†state.user.age"), give("b", 2)], {
      context: [state({ user: { name: "Ada" } })],
    });
    expect(bench.state(id)).toEqual({ user: { name: "Ada", age: 1 } });
    expect(bench.statuses(id)).toEqual({ a: "succeeded", b: "succeeded" });
  });

  test("P12: a target below a scalar fails the call before it runs", async () => {
    let ran = 0;
    const bench = setup({
      tools: {
        ...tools,
        count: {
          activity: async () => {
            ran += 1;
            return 1;
          },
        },
      },
    });
    const plan = [give("first", "Ada", "†state.user"), { _tool: "count", _id: "a", _outputPath: "†state.user.age" }];
    const id = await bench.run(plan);
    expect(bench.call(id, "a").error).toMatchObject({ code: "below_scalar" });
    expect(ran).toBe(0);
  });

  test("P12: an alternative that is taken when the result arrives: the result is kept and not written", async () => {
    const bench = setup({ tools });
    const id = await bench.run([give("a", "late", "†state.x || †state.y"), give("b", "†state.x", "†state.b")], {
      context: [state({ x: "early" })],
    });
    expect(bench.call(id, "a")).toMatchObject({ status: "superseded", output: "late" });
    expect(bench.state(id)).toEqual({ x: "early", b: "early" });
  });

  test("P12: of two writers of one path the first in the plan writes, however slow it is", async () => {
    const bench = setup({
      tools: { ...tools, slow: { activity: () => bench.clock.sleep(1_000).then(() => "slow") } },
    });
    const id = await bench.run([{ _tool: "slow", _id: "a", _outputPath: "†state.x" }, give("b", "fast", "†state.x")]);
    expect(bench.state(id)).toEqual({ x: "slow" });
    expect(bench.statuses(id)).toEqual({ a: "succeeded", b: "skipped" });
  });

  test("P9: †state alone writes the declared keys of an object, all or nothing", async () => {
    const profile = { _output: { type: "object", properties: { name: {}, age: {} } } };
    const bench = setup({ tools: { ...tools, profile: { activity: echo, schema: { properties: profile } } } });
    const whole = (value: JsonObject) => [
      { _tool: "profile", _id: "p", value, _outputPath: "†state" },
      give("greet", "†state.name", "†state.greeting"),
    ];
    const good = await bench.run(whole({ name: "Ada" }));
    expect(bench.state(good)).toEqual({ name: "Ada", greeting: "Ada" });
    const undeclared = await bench.run(whole({ name: "Ada", role: "admin" }));
    expect(bench.call(undeclared, "p").error).toMatchObject({ code: "invalid_output" });
    expect(bench.state(undeclared)).toBeUndefined();
    const taken = await bench.run(whole({ name: "Ada" }).slice(0, 1), { context: [state({ age: 36 })] });
    expect(bench.statuses(taken)).toEqual({ p: "skipped" });
  });
});

describe("P13: a result that does not fit", () => {
  const typed = { activity: echo, schema: { properties: { _output: { type: "integer" } } } };

  test("the tool's _output is an error of the call, and goes where errors go", async () => {
    const bench = setup({ tools: { typed } });
    const id = await bench.run([
      { _tool: "typed", _id: "a", value: "one", _outputPath: "†state.a" },
      { _tool: "typed", _id: "b", value: "two", _outputPath: "†state.b || †state.b_error" },
    ]);
    expect(bench.call(id, "a").error).toMatchObject({ code: "invalid_output" });
    expect(bench.statuses(id)).toEqual({ a: "failed", b: "failed handled" });
    expect(bench.state(id)).toMatchObject({ b_error: { code: "invalid_output" } });
  });

  test("the state's schema at its path is one, too", async () => {
    const bench = setup({ tools });
    const schema = {
      type: "object",
      required: ["never", "written"],
      properties: { user: { $ref: "#/$defs/user" } },
      $defs: { user: { type: "object", properties: { age: { type: "integer", minimum: 0 } } } },
    };
    const plan = [give("a", -1, "†state.user.age"), give("b", "x", "†state.user.name")];
    const id = await bench.run(plan, { context: [{ type: "state", schema }] });
    expect(bench.call(id, "a").error).toMatchObject({ code: "invalid_output" });
    expect(bench.statuses(id)).toEqual({ a: "failed", b: "succeeded" });
  });

  test("what JSON cannot hold is none", async () => {
    // What an activity of plain JavaScript may give, whatever its types say.
    const activity = JSON.parse("{}").missing ?? (async () => Reflect.construct(Date, [0]));
    const bench = setup({ tools: { odd: { activity } } });
    const id = await bench.run([{ _tool: "odd", _id: "a" }]);
    expect(bench.call(id, "a").error).toEqual({ code: "invalid_output", message: "a Date is not a JSON value" });
  });
});

describe("values", () => {
  test("P8: an activity that changes its parameters, or what it gave, changes nothing", async () => {
    const deep: JsonObject = { done: true };
    let tries = 0;
    const spoil: Activity = async (params) => {
      const { user } = params;
      expect(user).toEqual({ name: "Ada" });
      if (isJsonObject(user)) user.name = "spoilt";
      if (tries++ === 0) throw new ActivityError("busy", "try later", { did_not_happen: true });
      return { deep };
    };
    const after: Activity = async () => {
      deep.done = "spoilt";
      return null;
    };
    const bench = setup({ tools: { ...tools, spoil: { activity: spoil, retries: 1 }, after: { activity: after } } });
    const id = await bench.run(
      [
        { _tool: "spoil", _id: "a", user: "†state.user", _outputPath: "†state.a" },
        { _tool: "after", _id: "b", when: "†state.a", _outputPath: "†state.b" },
        give("c", { user: "†state.b && †state.user", a: "†state.a" }, "†state.c"),
      ],
      { context: [state({ user: { name: "Ada" } })] },
    );
    expect(tries).toBe(2);
    const user = { name: "Ada" };
    const a = { deep: { done: true } };
    expect(bench.state(id)).toEqual({ user, a, b: null, c: { user, a } });
  });

  test("P2: parameters are checked again, resolved, right before the call starts", async () => {
    const schema = { properties: { n: { type: "integer" } } };
    const bench = setup({ tools: { ...tools, typed: { activity: echo, schema } } });
    const id = await bench.run([
      give("a", "not a number", "†state.n"),
      { _tool: "typed", _id: "b", n: "†state.n", _outputPath: "†state.b || †state.error" },
    ]);
    expect(bench.call(id, "b")).toMatchObject({ status: "failed", handled: true, error: { code: "invalid_params" } });
    expect(bench.types.filter((type) => type.startsWith("call.")).slice(-2)).toEqual(["call.started", "call.failed"]);
  });

  test("P28: an activity gets the messages that its scopes name, and nothing else", async () => {
    const seen: unknown[] = [];
    const bench = setup({
      tools: {
        look: {
          activity: async (_params, scopes) => {
            seen.push(structuredClone(scopes));
            return null;
          },
        },
      },
    });
    await bench.run([{ _tool: "look", _id: "a", _scopes: ["rules"] }], {
      context: [state({ secret: 1 }), input({ q: 1 }), { type: "data", kind: "rules", data: { be: "kind" } }],
    });
    expect(seen).toEqual([[{ kind: "rules", instance: "", data: { be: "kind" } }]]);
  });

  test("P1: a call can name its activity", async () => {
    const bench = setup({ tools, activities: { shout: async ({ value }) => `${value}!` } });
    const id = await bench.run([give("a", "hey", "†state.a", { _activity: "shout" })]);
    expect(bench.state(id)).toEqual({ a: "hey!" });
  });

  test("P2a: a latent tool's result stands in its call; without a model there is no other", async () => {
    const bench = setup({ tools: { ...tools, think: {} } });
    const id = await bench.run([
      { _tool: "think", _id: "a", _output: "a thought", _outputPath: "†state.a" },
      { _tool: "think", _id: "b", _outputPath: "†state.b" },
    ]);
    expect(bench.state(id)).toEqual({ a: "a thought" });
    expect(bench.call(id, "b").error).toMatchObject({ code: "no_model" });
  });
});
