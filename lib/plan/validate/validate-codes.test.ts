import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../session/json/json.ts";
import { type PlanProblemCode, PROBLEM_CODES } from "../problem.ts";
import { check, delegate, problemsOf, type Surroundings, sentenceOf, tool } from "../testing/check-plan.ts";
import { getUser, input, string, tools } from "../testing/tools.ts";

/** For each code plans that have it and a near twin that has not; `about` is what the sentence names. */
interface Case {
  code: PlanProblemCode;
  what: string;
  wrong: JsonObject[];
  right: JsonObject[];
  at: string;
  about: string[];
  severity?: "warning";
  given?: Surroundings;
}

const CASES: Case[] = [
  {
    code: "syntax",
    what: "P3: a reference that cannot be read",
    wrong: [{ _tool: "any", _id: "a", x: ["ok", "†state..name"] }],
    right: [{ _tool: "any", _id: "a", x: ["ok", "††state..name"] }],
    at: "a /x/1",
    about: ["x[1] of a", "character 8"],
  },
  {
    code: "syntax",
    what: "P9: only the state can be written",
    wrong: [{ ...getUser, _outputPath: "†input.user" }],
    right: [getUser],
    at: "get /_outputPath",
    about: ["_outputPath of get", "†input"],
  },
  {
    code: "unknown_meta",
    what: "P1: a meta-property that there is not",
    wrong: [{ ...getUser, _outputpath: "†state.x" }],
    right: [{ ...getUser, _reasoningForCall: "because" }],
    at: "get /_outputpath",
    about: ["_outputpath", "_outputPath"],
  },
  {
    code: "duplicate_id",
    what: "P1: an id that is taken",
    wrong: [getUser, { _tool: "any", _id: "get" }],
    right: [getUser, { _tool: "any", _id: "get2" }],
    at: "get /_id",
    about: ["get"],
  },
  {
    code: "unknown_tool",
    what: "a tool that there is not",
    wrong: [{ ...getUser, _tool: "getuser" }],
    right: [getUser],
    at: "get /_tool",
    about: ["getuser", "tools"],
  },
  {
    code: "invalid_params",
    what: "a literal that breaks the tool's schema",
    wrong: [{ _tool: "greet", _id: "a", name: 5 }],
    right: [{ _tool: "greet", _id: "a", name: "Ann" }],
    at: "a /name",
    about: ["name of a", "string"],
  },
  {
    code: "invalid_params",
    what: "a literal beside a reference, deep inside",
    wrong: [getUser, { _tool: "count", _id: "a", user: { name: "†state.user.name", age: "old" } }],
    right: [getUser, { _tool: "count", _id: "a", user: { name: "†state.user.name", age: 3 } }],
    at: "a /user/age",
    about: ["user.age of a", "whole number"],
  },
  {
    code: "invalid_params",
    what: "P2: a call that contradicts what its tool prescribes",
    wrong: [{ _tool: "fixed", _id: "a", _outputPath: "†state.there" }],
    right: [{ _tool: "fixed", _id: "a" }],
    at: "a /_outputPath",
    about: ["_outputPath of a", "fixed"],
    given: { tools: [tool("fixed", { _outputPath: { const: "†state.here" } })] },
  },
  {
    code: "invalid_params",
    what: "P2a: a result in the call that breaks _output",
    wrong: [{ _tool: "ask", _id: "a", _output: { yes: 5 } }],
    right: [{ _tool: "ask", _id: "a", _output: { yes: "sure" } }],
    at: "a /_output/yes",
    about: ["_output.yes of a", "string"],
  },
  {
    code: "type_mismatch",
    what: "a writer's _output that never fits",
    wrong: [getUser, { _tool: "greet", _id: "a", name: "†state.user.age" }],
    right: [getUser, { _tool: "greet", _id: "a", name: "†state.user.name" }],
    at: "a /name",
    about: ["name of a", "†state.user.age", "whole number", "string"],
  },
  {
    code: "type_mismatch",
    what: "given data that does not fit",
    wrong: [{ _tool: "greet", _id: "a", name: "†input.total" }],
    right: [{ _tool: "count", _id: "a", amount: "†input.total" }],
    at: "a /name",
    about: ["†input.total", "string"],
  },
  {
    code: "type_mismatch",
    what: "P10: an error alternative is `_output` or {code, message}",
    wrong: [
      { ...getUser, _outputPath: "†state.user || †state.error" },
      { _tool: "count", _id: "a", amount: "†state.error.message" },
    ],
    right: [
      { ...getUser, _outputPath: "†state.user || †state.error" },
      { _tool: "greet", _id: "a", name: "†state.error.message" },
    ],
    at: "a /amount",
    about: ["†state.error.message", "number"],
  },
  {
    code: "cycle",
    what: "P17: calls that wait for one another",
    wrong: [
      { _tool: "any", _id: "a", x: "†state.c", _outputPath: "†state.a" },
      { _tool: "any", _id: "b", x: "†state.a", _outputPath: "†state.b" },
      { _tool: "any", _id: "c", x: "†state.b", _outputPath: "†state.c" },
    ],
    right: [
      { _tool: "any", _id: "a", x: "†input.id", _outputPath: "†state.a" },
      { _tool: "any", _id: "b", x: "†state.a", _outputPath: "†state.b" },
      { _tool: "any", _id: "c", x: "†state.b", _outputPath: "†state.c" },
    ],
    at: "a ",
    about: ["a → b → c → a", "†state.a"],
  },
  {
    code: "cycle",
    what: "P16: a call that reads what it writes",
    wrong: [{ _tool: "any", _id: "a", x: "†state.n.value", _outputPath: "†state.n" }],
    right: [{ _tool: "any", _id: "a", x: "†state.m.value", _outputPath: "†state.n" }],
    at: "a /x",
    about: ["a", "†state.n.value", "itself"],
    given: { context: [{ type: "state", m: { value: 1 } }] },
  },
  {
    code: "unbound",
    what: "P7: a path that nothing fills",
    wrong: [{ _tool: "any", _id: "a", x: "†state.order" }],
    right: [{ _tool: "any", _id: "a", x: "†state.order || †input.id" }].slice(1),
    at: "a /x",
    about: ["x of a", "†state.order"],
  },
  {
    code: "unbound",
    what: "P7: a kind that there is not",
    wrong: [{ _tool: "any", _id: "a", x: { deep: ["†nowhere.order"] } }],
    right: [{ _tool: "any", _id: "a", x: { deep: ["†input.id"] } }],
    at: "a /x/deep/0",
    about: ["x.deep[0] of a", "†nowhere.order", "kind nowhere", "input"],
  },
  {
    code: "unbound",
    what: "P7: a path that what is written there cannot have",
    wrong: [getUser, { _tool: "any", _id: "a", x: "†state.user.email" }],
    right: [getUser, { _tool: "any", _id: "a", x: "†state.user.name" }],
    at: "a /x",
    about: ["†state.user.email", "get", "email"],
  },
  {
    code: "unbound",
    what: "P6: a gate of which one member can never arrive",
    wrong: [getUser, { _tool: "any", _id: "a", x: "†state.user && †state.gate" }],
    right: [getUser, { _tool: "any", _id: "a", x: "†state.user && †input.id" }],
    at: "a /x",
    about: ["†state.user && †state.gate", "no call writes †state.gate"],
  },
  {
    code: "unbound",
    what: "P5: an alternative that can never arrive, beside one that can",
    wrong: [{ _tool: "any", _id: "a", x: "†state.gone || †input.id" }],
    right: [{ _tool: "any", _id: "a", x: "†input.id" }],
    at: "a /x",
    about: ["†state.gone"],
    severity: "warning",
  },
  {
    code: "unbound",
    what: "P16: a path that only the state's schema knows",
    wrong: [{ _tool: "any", _id: "a", x: "†state.order.id" }],
    right: [{ _tool: "any", _id: "a", x: "†state.given" }],
    at: "a /x",
    about: ["†state.order.id", "schema"],
    severity: "warning",
    given: {
      context: [
        { type: "state", given: 1 },
        { type: "state", schema: { properties: { order: { type: "object", properties: { id: string } } } } },
      ],
    },
  },
  {
    code: "unbound",
    what: "P12: a writer that finds its target taken writes nothing",
    wrong: [getUser, { _tool: "any", _id: "a", x: "†state.user.name" }],
    right: [getUser, { _tool: "any", _id: "a", x: "†state.user.id" }],
    at: "a /x",
    about: ["†state.user.name", "get cannot write †state.user"],
    given: { context: [input, { type: "state", user: { id: 1 } }] },
  },
  {
    code: "write_conflict",
    what: "P12: two writers of one path",
    wrong: [getUser, { ...getUser, _id: "again" }],
    right: [getUser, { ...getUser, _id: "again", _outputPath: "†state.other" }],
    at: "again /_outputPath",
    about: ["get and again", "†state.user"],
    severity: "warning",
  },
  {
    code: "write_conflict",
    what: "P16: data that forces writers the wrong way round",
    wrong: [
      { _tool: "any", _id: "whole", x: "†state.flag", _outputPath: "†state.p" },
      { _tool: "any", _id: "part", x: 1, _outputPath: "†state.p.q && †state.flag" },
    ],
    right: [
      { _tool: "any", _id: "whole", x: "†input.id", _outputPath: "†state.r" },
      { _tool: "any", _id: "part", x: 1, _outputPath: "†state.p.q && †state.flag" },
    ],
    at: "part /_outputPath",
    about: ["whole", "part", "†state.p.q"],
  },
  {
    code: "outside_schema",
    what: "P16: a path that the state's schema rules out",
    wrong: [{ ...getUser, _outputPath: "†state.person" }],
    right: [getUser],
    at: "get /_outputPath",
    about: ["†state.person", "get"],
    given: {
      context: [
        input,
        { type: "state", schema: { type: "object", properties: { user: {} }, additionalProperties: false } },
      ],
    },
  },
  {
    code: "outside_schema",
    what: "P16: a path that the state's schema leaves out",
    wrong: [{ ...getUser, _outputPath: "†state.person" }],
    right: [getUser],
    at: "get /_outputPath",
    about: ["†state.person", "get"],
    severity: "warning",
    given: { context: [input, { type: "state", schema: { type: "object", properties: { user: {} } } }] },
  },
  {
    code: "outside_schema",
    what: "P13: a result that the state's schema never takes",
    wrong: [getUser],
    right: [{ _tool: "greet", _id: "get", name: "a", _outputPath: "†state.user" }],
    at: "get /_outputPath",
    about: ["get writes to †state.user", "object", "string"],
    given: { context: [input, { type: "state", schema: { properties: { user: string } } }] },
  },
  {
    code: "outside_schema",
    what: "P9: †state alone of a tool that declares no keys",
    wrong: [{ _tool: "any", _id: "a", _outputPath: "†state" }],
    right: [{ ...getUser, _outputPath: "†state" }],
    at: "a /_outputPath",
    about: ["the whole †state", "any", "_output"],
  },
  {
    code: "unknown_instance",
    what: "P25: an instance that there is not",
    wrong: [{ _tool: "any", _id: "a", _instance: "③" }],
    right: [{ _tool: "any", _id: "a", _instance: "②" }],
    at: "a /_instance",
    about: ["③", "①, ②"],
    given: {
      context: [
        { type: "state", _instance: "①" },
        { type: "input", n: 1, _instance: "②" },
      ],
    },
  },
  {
    code: "unknown_scope",
    what: "P28: a kind that there is not",
    wrong: [{ _tool: "any", _id: "a", _scopes: ["state", "profile"] }],
    right: [{ _tool: "any", _id: "a", _scopes: ["state", "input"] }],
    at: "a /_scopes/1",
    about: ["profile", "state, input"],
  },
  {
    code: "unknown_delegate",
    what: "P27: a delegate that there is not",
    wrong: [{ _tool: "any", _id: "a", _delegate: "translater" }],
    right: [
      { _tool: "any", _id: "a", _delegate: "translator" },
      { _tool: "any", _id: "b", _delegate: "anonymous" },
    ],
    at: "a /_delegate",
    about: ["translater"],
    given: { delegates: [delegate("translator")] },
  },
  {
    code: "too_deep",
    what: "P27: a delegate that reaches itself without a bound",
    wrong: [{ _tool: "any", _id: "a", _delegate: "ping" }],
    right: [{ _tool: "any", _id: "a", _delegate: "bounded" }],
    at: "a /_delegate",
    about: ["ping → pong → ping", "max_depth"],
    given: {
      delegates: [
        delegate("ping", { plan: [{ _tool: "any", _delegate: "pong" }] }),
        delegate("pong", { plan: [{ _tool: "any", _delegate: "ping" }], max_depth: 2 }),
        delegate("bounded", { plan: [{ _tool: "any", _delegate: "bounded" }], max_depth: 2 }),
      ],
    },
  },
  {
    code: "too_deep",
    what: "P27: delegates more than eight levels deep",
    wrong: [{ _tool: "any", _id: "a", _delegate: "d1" }],
    right: [{ _tool: "any", _id: "a", _delegate: "d2" }],
    at: "a /_delegate",
    about: ["9 levels", "d1 → d2", "8"],
    given: {
      delegates: Array.from({ length: 9 }, (_, at) =>
        delegate(`d${at + 1}`, { plan: at < 8 ? [{ _tool: "any", _delegate: `d${at + 2}` }] : [] }),
      ),
    },
  },
  {
    code: "unchecked",
    what: "P16: a schema that cannot be compared",
    wrong: [
      { _tool: "pattern", _id: "w", _outputPath: "†state.v" },
      { _tool: "mail", _id: "a", to: "†state.v" },
    ],
    right: [
      { _tool: "mailbox", _id: "w", _outputPath: "†state.v" },
      { _tool: "mail", _id: "a", to: "†state.v" },
    ],
    at: "a /to",
    about: ["to of a", "†state.v", "email"],
    severity: "warning",
    given: {
      tools: [
        tool("pattern", {}, { output: { type: "string", pattern: "^a" } }),
        tool("mailbox", {}, { output: { type: "string", format: "email" } }),
        tool("mail", { to: { type: "string", format: "email" } }),
      ],
    },
  },
  {
    code: "unchecked",
    what: "P16: a tool that does not say what it gives",
    wrong: [
      { _tool: "any", _id: "w", _outputPath: "†state.v" },
      { _tool: "greet", _id: "a", name: "†state.v" },
    ],
    right: [
      { _tool: "any", _id: "w", _outputPath: "†state.v" },
      { _tool: "any", _id: "a", x: "†state.v" },
    ],
    at: "a /name",
    about: ["†state.v", "any has no _output"],
    severity: "warning",
  },
];

describe("P16: every code has a plan, a near twin without it, and a sentence that tells what to change", () => {
  test.each(CASES.map((each) => [`${each.code}: ${each.what}`, each] as const))("%s", (_name, each) => {
    const given = { tools, context: [input], ...each.given };
    given.tools = [...tools, ...(each.given?.tools ?? [])];
    const line = `${each.severity ?? "error"} ${each.code} ${each.at}`;
    expect(problemsOf(each.wrong, given)).toEqual([line]);
    expect(problemsOf(each.right, given)).toEqual([]);
    const sentence = sentenceOf(each.code, each.wrong, given);
    for (const name of each.about) expect(sentence).toContain(name);
    expect(check(each.wrong, given).ok).toBe(each.severity === "warning");
  });

  test("no code is left out", () => {
    expect(new Set(CASES.map(({ code }) => code))).toEqual(new Set(PROBLEM_CODES));
  });
});
