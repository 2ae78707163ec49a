import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSchemaChecker } from "../../engine/json-schema.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { readCalls } from "../call.ts";
import { readContext } from "../context.ts";
import type { Tool } from "../tool.ts";
import { simulate } from "./simulate.ts";
import { outlineOf, type Simulation } from "./simulation.ts";

const checker = createSchemaChecker();

/** Each tool's result by its `_output` schema. */
const OUTPUTS: Record<string, Json> = {
  getProfile: { type: "object", required: ["id"], properties: { id: { type: "integer" }, name: { type: "string" } } },
  getWeather: { type: "object", properties: { sky: { enum: ["rain", "sun"] }, degrees: { default: 21 } } },
  write: { examples: ["a text"], type: "string" },
  pay: { type: "object", properties: { receipt: { const: "R" } } },
};

function simulated(
  plan: JsonObject[],
  {
    context = [],
    branches = {},
    instance = "",
  }: { context?: JsonObject[]; branches?: Record<string, number>; instance?: string } = {},
): Simulation {
  const read = readContext(context);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const tool = (name: string): Tool => ({
    name,
    description: "",
    schema: Object.hasOwn(OUTPUTS, name) ? { properties: { _output: OUTPUTS[name] ?? true } } : {},
    has_activity: name !== "latent",
    requires_confirmation: false,
  });
  const delegate = () => ({
    name: "helper",
    plan: null,
    tools: null,
    input_schema: null,
    output_schema: { type: "boolean" },
    strict: false,
    max_depth: null,
    writes: ["†state.back"],
  });
  return simulate({
    calls: readCalls(plan),
    context: read.context,
    instance,
    toolbox: { tool, delegate },
    branches,
    checker,
  });
}

const PROFILE: JsonObject[] = [
  { _tool: "getProfile", _id: "profile", user: "†input.user", _outputPath: "†state.profile" },
  { _tool: "getWeather", _id: "weather", _outputPath: "†state.weather" },
  {
    _tool: "write",
    _id: "summary",
    name: "†state.profile.name",
    sky: "†state.weather.sky",
    _outputPath: "†state.summary",
  },
];
const BRANCH: JsonObject[] = [
  { _tool: "getWeather", _id: "weather", _outputPath: "†state.rain || †state.sun || †state.error" },
  { _tool: "write", _id: "inside", sky: "†state.rain", _outputPath: "†state.idea" },
  { _tool: "write", _id: "outside", sky: "†state.sun", _outputPath: "†state.idea" },
  { _tool: "write", _id: "sorry", why: "†state.error.message", _outputPath: "†state.apology" },
  { _tool: "write", _id: "tell", idea: "†state.idea" },
];
const context = [{ type: "input", user: 5 }];

describe("P18: simulation of a plan", () => {
  test("P18: waves of calls that run together, the critical path, and the state's shape after each step", () => {
    const { waves, critical_path, calls, steps } = simulated(PROFILE, { context });
    expect(waves).toEqual([["profile", "weather"], ["summary"]]);
    expect(critical_path).toEqual(["profile", "summary"]);
    expect(calls.summary).toEqual({ status: "succeeded" });
    expect(steps.map(({ call }) => call)).toEqual(["profile", "weather", "summary"]);
    expect(steps[0]).toEqual({
      call: "profile",
      writes: [{ path: "†state.profile", value: { id: 0, name: "" } }],
      state: { profile: { id: 0, name: "" } },
    });
    expect(steps[2]?.state).toEqual({
      profile: { id: 0, name: "" },
      weather: { sky: "rain", degrees: 21 },
      summary: "a text",
    });
  });

  test("P18: the calls that each branch choice reaches; the first alternative where none is chosen", () => {
    const reached = (branches: Record<string, number>) => simulated(BRANCH, { branches }).waves.flat();
    expect(reached({})).toEqual(["weather", "inside", "tell"]);
    expect(reached({ weather: 1 })).toEqual(["weather", "outside", "tell"]);
    expect(reached({ weather: 2 })).toEqual(["weather", "sorry"]);
    const { calls, steps } = simulated(BRANCH, { branches: { weather: 2 } });
    expect(calls.inside?.status).toBe("skipped");
    expect(calls.tell?.status).toBe("skipped");
    expect(steps[0]?.writes).toEqual([
      { path: "†state.error", value: { code: expect.any(String), message: expect.any(String) } },
    ]);
    expect(() => simulated(BRANCH, { branches: { weather: 3 } })).toThrow("weather");
  });

  test("P18: what a call that ends without running had to wait for is on the critical path still", () => {
    const { waves, critical_path } = simulated([
      { _tool: "write", _id: "a", _outputPath: "†state.a || †state.b" },
      { _tool: "write", _id: "never", x: "†state.b", _outputPath: "†state.c" },
      { _tool: "write", _id: "z", x: "†state.c || †state.a" },
    ]);
    expect(waves).toEqual([["a"], ["z"]]);
    expect(critical_path).toEqual(["a", "z"]);
    // Those that do not run make no chain longer.
    const skipped = simulated([
      { _tool: "write", _id: "a", _outputPath: "†state.a || †state.b" },
      { _tool: "write", _id: "never", x: "†state.b", _outputPath: "†state.c" },
      { _tool: "write", _id: "nor this", x: "†state.c", _outputPath: "†state.d" },
      { _tool: "write", _id: "z", x: "†state.d || †state.a" },
      { _tool: "write", _id: "one", _outputPath: "†state.one" },
      { _tool: "write", _id: "two", x: "†state.one", _outputPath: "†state.two" },
      { _tool: "write", _id: "three", x: "†state.two" },
    ]);
    expect(skipped.critical_path).toEqual(["one", "two", "three"]);
  });

  test("P18, P12: what is there already is not written again, and nothing goes below a scalar", () => {
    const state = [{ type: "state", a: 1, b: 2 }];
    const { calls, waves } = simulated(
      [
        { _tool: "write", _id: "taken", _outputPath: "†state.a" },
        { _tool: "write", _id: "below", _outputPath: "†state.a.x" },
        { _tool: "write", _id: "first", _outputPath: "†state.a || †state.c" },
        { _tool: "write", _id: "after", x: "†state.a.x", _outputPath: "†state.d" },
      ],
      { context: state },
    );
    expect(calls).toMatchObject({
      taken: { status: "skipped" },
      below: { status: "failed" },
      first: { status: "superseded" },
      after: { status: "blocked" },
    });
    expect(waves).toEqual([["first"]]);
    expect(state).toEqual([{ type: "state", a: 1, b: 2 }]);
  });

  test("P18, P9: †state alone, fan-outs, latent results and delegates write what they would", () => {
    const { steps } = simulated([
      { _tool: "pay", _id: "root", _outputPath: "†state" },
      { _tool: "write", _id: "fan", _outputPath: "†state.x.one && †state.two" },
      { _tool: "latent", _id: "latent", _output: { said: true }, _outputPath: "†state.words" },
      { _tool: "any", _id: "helper", _delegate: "helper", _scopes: ["state"], _outputPath: "†state.helped" },
    ]);
    expect(steps[0]?.writes).toEqual([{ path: "†state", value: { receipt: "R" } }]);
    expect(steps.at(-1)?.state).toEqual({
      receipt: "R",
      x: { one: "a text" },
      two: "a text",
      words: { said: true },
      helped: false,
      back: null,
    });
  });

  test("P18: an instance begins with its own state and reads the global one below it", () => {
    const { calls, steps } = simulated(
      [{ _tool: "write", _id: "a", x: "†state.shared && †state.own", _outputPath: "†state.a" }],
      {
        instance: "①",
        context: [
          { type: "state", shared: 1 },
          { type: "state", own: 1, _instance: "①" },
        ],
      },
    );
    expect(calls.a?.status).toBe("succeeded");
    expect(steps[0]?.state).toEqual({ own: 1, a: "a text" });
  });

  test("P18: what is read below a result of which nothing is known is taken to be there", () => {
    const { waves, steps } = simulated([
      { _tool: "any", _id: "a", _outputPath: "†state.a" },
      { _tool: "any", _id: "b", x: "†state.a.list[1].id", _outputPath: "†state.b" },
    ]);
    expect(waves).toEqual([["a"], ["b"]]);
    expect(steps[0]?.state).toEqual({ a: { list: [null, { id: null }] } });
  });

  test("P18: a state after a step is the same in whatever order the steps are looked at", () => {
    const plan = fc.array(
      fc.record({
        _tool: fc.constantFrom("getProfile", "write"),
        _outputPath: fc.constantFrom("†state.a", "†state.b.c", "†state.b", "†state.d.e.f"),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(plan, fc.array(fc.nat(7)), (plan, looks) => {
        const expected: Json[] = JSON.parse(JSON.stringify(simulated(plan).steps.map(({ state }) => state)));
        const { steps } = simulated(plan);
        const seen = looks.flatMap((at) => (steps[at] ? [{ at, state: steps[at].state }] : []));
        for (const { at, state } of seen) expect(state).toEqual(expected[at]);
      }),
    );
  });

  test("P18: a chain of 10,000 calls and a fan of as many are simulated", () => {
    const chain = Array.from({ length: 10_000 }, (_, at) => ({
      _tool: "write",
      _id: `c${at}`,
      ...(at > 0 && { x: `†state.c${at - 1}` }),
      _outputPath: `†state.c${at}`,
    }));
    expect(simulated(chain).critical_path).toHaveLength(10_000);
    const fan = simulated(chain.map((call, at) => (at === 0 ? call : { ...call, x: "†state.c0" })));
    expect(fan.waves.map(({ length }) => length)).toEqual([1, 9_999]);
    expect(Object.keys(fan.steps.at(-1)?.state ?? {})).toHaveLength(10_000);
  });
});

test("P22: what is kept of a simulation grows with its plan, and not with the shapes of its results", () => {
  const plan = Array.from({ length: 200 }, (_, at) => ({
    _tool: "getProfile",
    _id: `c${at}`,
    _outputPath: `†state.c${at} && †state.d${at}`,
  }));
  const simulation = simulated(plan);
  const { steps, ...rest } = outlineOf(simulation);
  expect(rest).toEqual({ waves: simulation.waves, critical_path: ["c0"], calls: simulation.calls });
  expect(steps[1]).toEqual({ call: "c1", writes: ["†state.c1", "†state.d1"] });
  expect(JSON.stringify({ ...rest, steps }).length).toBeLessThan(2 * JSON.stringify(plan).length);
});

describe("P18: what is read is assumed to be there only if no other call writes it", () => {
  const reader = { _tool: "write", _id: "read", x: "†state.user.note" };

  test("P12: a result leaves free what another call writes below it", () => {
    const whole = { _tool: "getProfile", _id: "whole", _outputPath: "†state.user" };
    const part = { _tool: "write", _id: "part", _outputPath: "†state.user.note" };
    expect(simulated([whole, reader]).steps[0]?.state).toEqual({ user: { id: 0, name: "", note: null } });
    const { calls, steps } = simulated([whole, part, reader]);
    expect(calls.part).toEqual({ status: "succeeded" });
    expect(steps.at(-1)?.state).toEqual({ user: { id: 0, name: "", note: "a text" } });
  });

  test("P9: †state alone writes the keys that the tool declares, and leaves the rest as it is", () => {
    const root = { _tool: "getProfile", _id: "root", _outputPath: "†state" };
    const state = { type: "state", user: { note: "here" } };
    const { steps } = simulated([root, reader], { context: [state] });
    expect(steps.at(-1)?.state).toEqual({ user: { note: "here" }, id: 0, name: "" });
  });

  test("P10, P12: a call that cannot write below a value fails to its error alternative", () => {
    const failing = { _tool: "write", _id: "w", _outputPath: "†state.n.x || †state.error" };
    const sorry = { _tool: "write", _id: "sorry", why: "†state.error.message", _outputPath: "†state.apology" };
    const { waves, calls, steps } = simulated([failing, sorry], { context: [{ type: "state", n: 5 }] });
    expect(calls).toMatchObject({ w: { status: "failed" }, sorry: { status: "succeeded" } });
    expect(waves).toEqual([["sorry"]]);
    expect(steps.map(({ call }) => call)).toEqual(["w", "sorry"]);
    expect(steps.at(-1)?.state).toMatchObject({ n: 5, error: { code: "below_scalar" }, apology: "a text" });
    const unhandled = { ...failing, _outputPath: "†state.n.x" };
    expect(simulated([unhandled, sorry], { context: [{ type: "state", n: 5 }] }).calls.w?.status).toBe("failed");
  });
});
