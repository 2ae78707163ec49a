import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../session/json/json.ts";
import {
  type Context,
  instancesOf,
  kindsOf,
  layOver,
  mergeMessages,
  printContext,
  readContext,
  schemaOf,
} from "./context.ts";
import type { DataMessage } from "./message.ts";

function contextOf(...raw: JsonObject[]): Context {
  const read = readContext(raw);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.context;
}

function faultsOf(...raw: JsonObject[]): string[] {
  const read = readContext(raw);
  return read.ok ? [] : read.faults.map(({ path, message }) => `${path.join("/")} ${message}`);
}

const keys = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "0");
/** Values of one shape: `a` is always an object, `b` an array, `c` a scalar; so that no kind of value takes another's place. */
const shaped: fc.Arbitrary<JsonObject> = fc.letrec<{ node: JsonObject }>((tie) => ({
  node: fc.record(
    {
      a: fc.option(tie("node"), { nil: {}, maxDepth: 3 }),
      b: fc.array(fc.nat(), { maxLength: 3 }),
      c: fc.oneof(fc.string(), fc.nat(), fc.constant(null)),
    },
    { requiredKeys: [] },
  ),
})).node;
const object: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(keys, fc.jsonValue({ maxDepth: 3 })), { maxLength: 4 })
  .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))));
const message: fc.Arbitrary<DataMessage> = fc.record(
  {
    kind: fc.constantFrom("state", "input"),
    instance: fc.constantFrom("", "①", "②"),
    data: shaped,
    schema: fc.constantFrom<Json>(true, { type: "object" }),
    description: fc.string(),
  },
  { requiredKeys: ["kind", "instance"] },
);

describe("P14: messages of one kind and instance are one", () => {
  test("P14: objects are merged deeply, arrays and scalars replaced, in order", () => {
    const { data } = contextOf(
      { type: "data", kind: "state", data: { user: { name: "A", tags: [1, 2] }, n: 1 }, description: "first" },
      { type: "data", kind: "state", data: { user: { age: 5, tags: [3] }, n: null }, schema: { type: "object" } },
      { type: "data", kind: "state", data: {}, description: "last" },
    );
    expect(data).toEqual([
      {
        kind: "state",
        instance: "",
        data: { user: { name: "A", age: 5, tags: [3] }, n: null },
        schema: { type: "object" },
        description: "last",
      },
    ]);
  });

  test("P14: different instances and kinds are never merged", () => {
    const { data } = contextOf(
      { type: "state", x: 1, _instance: "①" },
      { type: "state", x: 2, _instance: "②" },
      { type: "state", x: 3 },
      { type: "input", x: 4, _instance: "①" },
    );
    expect(data.map(({ kind, instance, data }) => [kind, instance, data])).toEqual([
      ["state", "①", { x: 1 }],
      ["state", "②", { x: 2 }],
      ["state", "", { x: 3 }],
      ["input", "①", { x: 4 }],
    ]);
  });

  test("P14: merging some messages first changes nothing, wherever one kind of value does not replace another", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), fc.nat(6), (messages, cut) => {
        const whole = mergeMessages(messages);
        expect(mergeMessages([...mergeMessages(messages.slice(0, cut)), ...messages.slice(cut)])).toEqual(whole);
        const tail = mergeMessages([...messages.slice(0, cut), ...mergeMessages(messages.slice(cut))]);
        expect(tail).toEqual(whole);
      }),
    );
  });

  test("P14: merging never touches what is merged, and no key reaches a prototype", () => {
    fc.assert(
      fc.property(object, object, (lower, upper) => {
        const before = JSON.stringify([lower, upper]);
        const joined = layOver(lower, upper);
        expect(JSON.stringify([lower, upper])).toBe(before);
        expect(new Set(Object.keys(joined ?? {}))).toEqual(new Set([...Object.keys(lower), ...Object.keys(upper)]));
        expect(Object.getPrototypeOf(joined)).toBe(Object.prototype);
      }),
    );
    expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
  });
});

describe("P14a: the accepted forms", () => {
  test("P14a: each short form is brought to the one form", () => {
    const schema = { type: "object" };
    const one = (raw: JsonObject) => contextOf(raw).data[0];
    expect(one({ type: "state", deal: 5, note: "x" })).toEqual({
      kind: "state",
      instance: "",
      data: { deal: 5, note: "x" },
    });
    expect(one({ type: "state", state: { deal: 5 } })).toEqual({ kind: "state", instance: "", data: { deal: 5 } });
    expect(one({ type: "state", schema })).toEqual({ kind: "state", instance: "", schema });
    expect(one({ type: "input", input: { id: 1 }, schema, _instance: "①", description: "d" })).toEqual({
      kind: "input",
      instance: "①",
      data: { id: 1 },
      schema,
      description: "d",
    });
    expect(one({ type: "input", id: 1 })).toEqual({ kind: "input", instance: "", data: { id: 1 } });
    expect(one({ type: "plan", plan: [{ _tool: "a" }] })).toEqual({
      kind: "plan",
      instance: "",
      data: [{ _tool: "a" }],
    });
    expect(one({ type: "data", kind: "deals", data: [1], _instance: null, schema: null })).toEqual({
      kind: "deals",
      instance: "",
      data: [1],
    });
  });

  test("P14a: a field with its message's name is a field where others stand beside it, or where it is no object", () => {
    expect(contextOf({ type: "state", state: "CA", city: "LA" }).data[0]?.data).toEqual({ state: "CA", city: "LA" });
    expect(contextOf({ type: "state", state: { code: "CA" }, city: "LA" }).data[0]?.data).toEqual({
      state: { code: "CA" },
      city: "LA",
    });
    expect(contextOf({ type: "input", input: "words" }).data[0]?.data).toEqual({ input: "words" });
  });

  test("P14a: words have a role, and keep their order", () => {
    const { text, data } = contextOf(
      { role: "system", content: "Be kind" },
      { type: "input", id: 1 },
      { role: "user", content: "Hello" },
    );
    expect(text.map(({ content }) => content)).toEqual(["Be kind", "Hello"]);
    expect(data).toHaveLength(1);
  });

  test("P14a: what cannot be read is told with its place, all of it at once", () => {
    expect(
      faultsOf(
        { type: "date", kind: "x", data: 1 },
        { type: "data", kind: "a b", data: 1 },
        { type: "data", kind: "x" },
        { type: "data", kind: "x", data: 1, dta: 2 },
        { type: "state", _instnace: "①", x: 1 },
        { type: "input", _instance: 5 },
        { type: "input", schema: "text" },
        { type: "data", kind: "state", data: [1] },
        { role: "tool", content: "x" },
        { role: "user", content: 5 },
      ),
    ).toEqual([
      "0/type must be data, state, input or plan; a text message has a role instead",
      "1/kind must be a name of letters, digits, _ and -, as in †kind",
      "2/data is required without a schema",
      "3/dta is not a known field",
      "4/_instnace is not a property of a message; the nearest is _instance",
      "5/_instance must be a string of at most 200 characters without control characters",
      "6/schema must be a JSON Schema; put a field of this name into data",
      "7/data must be an object",
      "8/role must be one of system, user, assistant",
      "9/content must be a string",
    ]);
  });

  test("P14a: a context that is printed is read back the same", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), (messages) => {
        const data = mergeMessages(messages.map((each) => ({ ...each, ...(each.data ? {} : { schema: true }) })));
        const context: Context = { data, text: [{ role: "user", content: "x" }] };
        expect(contextOf(...printContext(context))).toEqual(context);
        expect(contextOf(...JSON.parse(JSON.stringify(printContext(context))))).toEqual(context);
      }),
    );
  });
});

describe("P25: instances and kinds of a context", () => {
  test("P25: instances are those of state and input, in their order; without any there is one without a name", () => {
    const context = contextOf(
      { type: "data", kind: "other", data: 1, _instance: "③" },
      { type: "input", x: 1, _instance: "②" },
      { type: "state", x: 1 },
      { type: "state", x: 1, _instance: "①" },
      { type: "state", y: 1, _instance: "②" },
    );
    expect(instancesOf(context)).toEqual(["②", "①"]);
    expect(instancesOf(contextOf({ type: "state", x: 1 }))).toEqual([""]);
    expect(kindsOf(context)).toEqual(new Set(["other", "input", "state"]));
  });

  test("P14b: an instance's own schema stands over the global one", () => {
    const context = contextOf(
      { type: "state", schema: { title: "global" } },
      { type: "state", schema: { title: "own" }, _instance: "①" },
      { type: "state", x: 1, _instance: "②" },
    );
    expect(schemaOf(context, "state", "①")).toEqual({ title: "own" });
    expect(schemaOf(context, "state", "②")).toEqual({ title: "global" });
    expect(schemaOf(context, "input", "①")).toBeUndefined();
  });
});
