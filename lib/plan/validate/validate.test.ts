import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { check, delegate, problemsOf, sentenceOf, tool } from "../testing/check-plan.ts";
import { getUser, input, number, string, tools } from "../testing/tools.ts";

test("P16: every problem is told at once, in plan order, errors first", () => {
  const plan: JsonObject[] = [
    { ...getUser, id: 5, _foo: 1 },
    { _tool: "nope", _id: "b", x: "†state.nothing" },
    { _tool: "greet", _id: "c", name: "†state.user.age", to: "†state.gone || †input.id", extra: true },
    { _tool: "any", _id: "d", x: "†state..", _outputPath: "†state.user", _delegate: "who", _scopes: ["what"] },
  ];
  expect(problemsOf(plan, { tools, context: [input] })).toEqual([
    "error unknown_meta get /_foo",
    "error invalid_params get /id",
    "error unknown_tool b /_tool",
    "error unbound b /x",
    "error type_mismatch c /name",
    "error invalid_params c /extra",
    "warning unbound c /to",
    "error syntax d /x",
    "error unknown_scope d /_scopes/0",
    "error unknown_delegate d /_delegate",
    "warning write_conflict d /_outputPath",
  ]);
});

describe("P16: a plan that would take too long to check is refused at once, with what to do", () => {
  test("because of its links", () => {
    const writers = Array.from({ length: 501 }, (_, at) => ({
      _tool: "any",
      _id: `w${at}`,
      _outputPath: `†state.s${at}`,
    }));
    const readers = Array.from({ length: 500 }, (_, at) => ({ _tool: "any", _id: `r${at}`, x: "†state" }));
    expect(check([...writers.slice(1), ...readers], { tools }).ok).toBe(true);
    const { ok, problems, graph } = check([...writers, ...readers], { tools });
    expect({ ok, codes: problems.map(({ code }) => code), edges: graph.edges }).toEqual({
      ok: false,
      codes: ["unchecked"],
      edges: [],
    });
    expect(problems[0]?.message).toContain("250000 links");
  });

  test("because of its instances", () => {
    const context = Array.from({ length: 1_001 }, (_, at) => ({ type: "input", id: at, _instance: `i${at}` }));
    const plan = Array.from({ length: 50 }, (_, at) => ({ _tool: "any", _id: `c${at}` }));
    expect(check(plan, { tools, context }).problems).toMatchObject([
      { code: "unchecked", severity: "error", call: null },
    ]);
    const own = plan.map((call) => ({ ...call, _instance: "i1" }));
    expect(check(own, { tools, context }).problems).toEqual([]);
  });
});

describe("P16: exclusive writers", () => {
  const branch: JsonObject[] = [
    { _tool: "ask", _id: "ask", question: "?", _outputPath: "†state.yes || †state.no" },
    { _tool: "greet", _id: "a", name: "†state.yes.yes", _outputPath: "†state.text" },
    { _tool: "greet", _id: "b", name: "†state.no.no", _outputPath: "†state.text" },
  ];
  test("branches can rejoin on one path", () => {
    expect(problemsOf([...branch, { _tool: "greet", _id: "c", name: "†state.text" }], { tools })).toEqual([]);
  });

  test("P6: a gate of two branches is never open, and a call that needs both never runs", () => {
    const gate = { _tool: "any", _id: "c", x: "†state.yes && †state.no" };
    expect(problemsOf([...branch, gate], { tools })).toEqual(["error unbound c /x"]);
    expect(sentenceOf("unbound", [...branch, gate], { tools })).toContain(
      "†state.yes and †state.no come from different alternatives",
    );
    const both = { _tool: "any", _id: "c", x: ["†state.yes", "†state.no"] };
    expect(problemsOf([...branch, both], { tools })).toEqual(["warning unbound c "]);
    const given = { tools, context: [{ type: "state", no: { no: "" } }] };
    expect(problemsOf([...branch.slice(1, 2), both], given)).toEqual(["error unbound a /name", "error unbound c /x/0"]);
    expect(problemsOf([...branch, { ...gate, x: "†state.text && †state.yes" }], { tools })).toEqual([]);
  });

  test("a thousand writers of one error path are one warning", () => {
    const plan = Array.from({ length: 1_000 }, (_, at) => ({
      ...getUser,
      _id: `g${at}`,
      _outputPath: `†state.u${at} || †state.error`,
    }));
    const { problems } = check(plan, { tools, context: [input] });
    expect(problems).toMatchObject([{ code: "write_conflict", severity: "warning" }]);
    expect(problems[0]?.message).toMatch(/^g0, g1, .* and 990 more may write the same path, †state\.error/);
  });
});

describe("P16: what is read has the type of what is written", () => {
  test("of several writers each has to fit", () => {
    const plan: JsonObject[] = [
      { _tool: "ask", _id: "ask", question: "?", _outputPath: "†state.yes || †state.no" },
      { _tool: "greet", _id: "a", name: "†state.yes.yes", _outputPath: "†state.result" },
      { _tool: "count", _id: "b", amount: 1, user: { name: "†state.no.no", age: 1 }, _outputPath: "†state.result" },
      { _tool: "count", _id: "c", amount: "†state.result" },
    ];
    expect(problemsOf(plan, { tools })).toEqual(["error type_mismatch c /amount"]);
  });

  test("P12: what is there from the beginning stays, whoever would write it", () => {
    const given = { tools, context: [input, { type: "state", user: { name: "Ann", age: "old" } }] };
    expect(problemsOf([getUser, { _tool: "count", _id: "a", amount: "†state.user.age" }], given)).toEqual([
      "error type_mismatch a /amount",
    ]);
  });

  test("P4: a reader of an ancestor gets what is written below it, put together", () => {
    const parts: JsonObject[] = [
      { _tool: "greet", _id: "n", name: "x", _outputPath: "†state.u.name" },
      { _tool: "count", _id: "m", amount: 1, _outputPath: "†state.u.age" },
    ];
    const read = { _tool: "closed", _id: "a", u: "†state.u" };
    const closed = (properties: JsonObject) =>
      tool("closed", { u: { type: "object", properties, additionalProperties: false } });
    expect(problemsOf([...parts, read], { tools: [...tools, closed({ name: string, age: number })] })).toEqual([]);
    expect(problemsOf([...parts, read], { tools: [...tools, tool("closed", { u: string })] })).toEqual([
      "error type_mismatch a /u",
    ]);
    expect(problemsOf([...parts, read], { tools: [...tools, closed({ name: number, age: number })] })).toEqual([
      "warning unchecked a /u",
    ]);
  });

  test("the value of a gate is its last member's (P6), and the state's schema counts as the writer's does", () => {
    const given = { tools, context: [input, { type: "state", schema: { properties: { v: string } } }] };
    const writer = { _tool: "any", _id: "w", _outputPath: "†state.v" };
    expect(problemsOf([writer, { _tool: "greet", _id: "a", name: "†input.total && †state.v" }], given)).toEqual([]);
    expect(problemsOf([writer, { _tool: "greet", _id: "a", name: "†state.v && †input.total" }], given)).toEqual([
      "error type_mismatch a /name",
    ]);
  });

  test("P9: †state alone writes the keys that its tool declares, each of its type", () => {
    const root = { ...getUser, _outputPath: "†state" };
    const { problems, graph, outputs } = check([root, { _tool: "greet", _id: "a", name: "†state.name" }], {
      tools,
      context: [input],
    });
    expect(problems).toEqual([]);
    expect(graph.edges).toMatchObject([{ from: "get", to: "a", paths: ["†state.name"] }]);
    expect(outputs).toEqual([{ call_id: "get", keys: ["name", "age"] }]);
    expect(problemsOf([root, { _tool: "greet", _id: "a", name: "†state.age" }], { tools, context: [input] })).toEqual([
      "error type_mismatch a /name",
    ]);
  });

  test("P2a: the result of a latent call stands in the call", () => {
    const ask = { _tool: "ask", _id: "ask", _output: { yes: "sure" }, _outputPath: "†state.said" };
    expect(problemsOf([ask, { _tool: "greet", _id: "a", name: "†state.said.yes" }], { tools })).toEqual([]);
    expect(problemsOf([ask, { _tool: "greet", _id: "a", name: "†state.said.no" }], { tools })).toEqual([
      "error unbound a /name",
    ]);
  });

  test("P2: what a tool prescribes counts as said", () => {
    const fixed = [tool("fixed", { _outputPath: { const: "†state.here" } }, { output: string }), ...tools];
    const { problems, plan, graph } = check([{ _tool: "fixed" }, { _tool: "greet", _id: "a", name: "†state.here" }], {
      tools: fixed,
    });
    expect(problems).toEqual([]);
    expect(plan[0]).toEqual({ _tool: "fixed", _id: "fixed#1", _outputPath: "†state.here" });
    expect(graph.edges).toHaveLength(1);
  });
});

describe("P25, P26: instances are validated one by one", () => {
  const context: JsonObject[] = [
    { type: "state", who: "Ann", _instance: "①" },
    { type: "state", n: 1, _instance: "②" },
  ];
  test("what one instance lacks is told with its name", () => {
    const plan = [{ _tool: "greet", _id: "a", name: "†state.who" }];
    expect(problemsOf(plan, { tools, context })).toEqual(["error unbound a /name"]);
    expect(sentenceOf("unbound", plan, { tools, context })).toMatch(/^In the instance ②: .*†state\.who/);
  });

  test("what is wrong for all is told once", () => {
    const plan = [{ _tool: "greet", _id: "a", name: "†state.gone", to: 5 }];
    expect(problemsOf(plan, { tools, context })).toEqual(["error unbound a /name", "error invalid_params a /to"]);
    expect(sentenceOf("unbound", plan, { tools, context })).not.toContain("instance");
  });

  test("a call of one instance neither feeds nor disturbs another's", () => {
    const plan: JsonObject[] = [
      { _tool: "any", _id: "a", x: 1, _outputPath: "†state.v", _instance: "①" },
      { _tool: "any", _id: "b", x: "†state.v", _outputPath: "†state.w", _instance: "②" },
      { _tool: "any", _id: "c", x: 1, _outputPath: "†state.w", _instance: "①" },
    ];
    const { problems, graph } = check(plan, { tools, context });
    expect(problems).toMatchObject([{ code: "unbound", call: "b" }]);
    expect(graph.edges).toEqual([]);
  });

  test("P14b: an instance reads its own data over the global one", () => {
    const both: JsonObject[] = [...context, { type: "state", who: 5 }, { type: "input", id: "x" }];
    expect(
      sentenceOf("type_mismatch", [{ _tool: "greet", _id: "a", name: "†state.who" }], { tools, context: both }),
    ).toContain("In the instance ②");
  });
});

describe("P27: delegates", () => {
  const strict = delegate("strict", {
    strict: true,
    input_schema: { type: "object", properties: { name: { type: "string", minLength: 3 } }, required: ["name"] },
    output_schema: string,
  });
  const call = { _tool: "greet", _id: "a", name: "Ann", _delegate: "strict" };

  test("a strict one's schemas are merged into the tool's", () => {
    const given = { tools, delegates: [strict] };
    expect(problemsOf([call], given)).toEqual([]);
    expect(problemsOf([{ ...call, name: "A" }], given)).toEqual(["error invalid_params a /name"]);
    expect(problemsOf([{ _tool: "greet", _id: "a", _delegate: "strict" }], given)).toEqual([
      "error invalid_params a /name",
    ]);
    expect(problemsOf([{ ...call, name: "A" }], { tools, delegates: [{ ...strict, strict: false }] })).toEqual([]);
    expect(problemsOf([call], { tools, delegates: [{ ...strict, output_schema: number }] })).toEqual([
      "error type_mismatch a /_delegate",
    ]);
  });

  test("what it writes back feeds readers, if it is scoped to the state", () => {
    const given = { tools, delegates: [delegate("d", { writes: ["†state.back"] })] };
    const read = { _tool: "any", _id: "b", x: "†state.back" };
    const { graph, problems } = check([{ _tool: "any", _id: "a", _delegate: "d", _scopes: ["state"] }, read], given);
    expect(problems).toEqual([]);
    expect(graph.edges).toMatchObject([{ from: "a", to: "b" }]);
    expect(problemsOf([{ _tool: "any", _id: "a", _delegate: "d" }, read], given)).toEqual(["error unbound b /x"]);
  });

  test("how deep the run is already counts, and who is entered again needs a bound", () => {
    const given = { tools, delegates: [delegate("d"), delegate("r", { max_depth: 1 })] };
    const plan = (name: string) => [{ _tool: "any", _id: "a", _delegate: name }];
    expect(problemsOf(plan("d"), { ...given, depth: 7 })).toEqual([]);
    expect(problemsOf(plan("d"), { ...given, depth: 8 })).toEqual(["error too_deep a /_delegate"]);
    expect(problemsOf(plan("d"), { ...given, depth: 1, stack: ["d"] })).toEqual(["error too_deep a /_delegate"]);
    expect(problemsOf(plan("r"), { ...given, depth: 1, stack: ["r"] })).toEqual([]);
    // Whether this call is ever reached is for the run to see: it may be what ends the loop.
    expect(problemsOf(plan("r"), { ...given, depth: 2, stack: ["r", "r"] })).toEqual(["warning too_deep a /_delegate"]);
  });
});

describe("P16: whatever is sent", () => {
  const path = fc.constantFrom(
    "†state.a",
    "†state.b",
    "†state.a.c",
    "†state",
    "†input.id",
    "†state.a || †state.b",
    "†state.b && †input.id",
    "†x",
    "††",
    "†",
  );
  const value: fc.Arbitrary<Json> = fc.oneof(
    path,
    fc.jsonValue({ maxDepth: 2 }).map((json): Json => JSON.parse(JSON.stringify(json))),
    fc.array(path, { maxLength: 2 }),
  );
  const call: fc.Arbitrary<JsonObject> = fc
    .tuple(
      fc.dictionary(
        fc.constantFrom(
          "_tool",
          "_id",
          "_outputPath",
          "_delegate",
          "_instance",
          "_scopes",
          "_output",
          "_activity",
          "name",
          "x",
          "__proto__",
        ),
        value,
        { noNullPrototype: true },
      ),
      fc.constantFrom("getUser", "greet", "any", "ask", "nope"),
      fc.option(path),
    )
    .map(([fields, name, output]) => ({ _tool: name, ...fields, ...(output && { _outputPath: output }) }));

  test("P16: validation never throws, and tells errors exactly when it is not ok", () => {
    const given = { tools, context: [input, { type: "state", a: 1, _instance: "①" }], delegates: [delegate("†x")] };
    fc.assert(
      fc.property(fc.array(call, { maxLength: 6 }), (plan) => {
        const { ok, problems, graph, calls } = check(plan, given);
        expect(ok).toBe(problems.every(({ severity }) => severity === "warning"));
        expect(graph.nodes.map(({ id }) => id)).toEqual([...new Set(calls.map(({ id }) => id))]);
        for (const { message } of problems) expect(message.length).toBeGreaterThan(20);
      }),
    );
  });

  test("P17: an accepted plan has no cycle, its writers' order included", () => {
    const target = fc.constantFrom("†state.a", "†state.b", "†state.a.c", "†state.d", "†state.b.e");
    const step = fc.record({ x: fc.array(target, { maxLength: 2 }), _outputPath: target, _tool: fc.constant("any") });
    const given = { tools, context: [{ type: "state", d: 1 }] };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const { ok, calls, graph } = check(
          steps.map((each, at) => ({ ...each, _id: `s${at}` })),
          given,
        );
        fc.pre(ok);
        const open = new Set(calls.map(({ id }) => id));
        for (let free = firstFree(open, graph.edges); free !== undefined; free = firstFree(open, graph.edges))
          open.delete(free);
        expect([...open]).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

/** A call that waits for none of those that are open. */
function firstFree(open: ReadonlySet<string>, edges: readonly { from: string; to: string }[]): string | undefined {
  return [...open].find((id) => !edges.some(({ from, to }) => to === id && open.has(from)));
}
