import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../session/json/json.ts";
import { type Context, layOver, readContext } from "./context.ts";
import { parseReference, type Reference, valueAt } from "./reference.ts";
import { createScope, scopedMessages } from "./scope.ts";

function contextOf(...raw: JsonObject[]): Context {
  const read = readContext(raw);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.context;
}

function reference(text: string): Reference {
  const read = parseReference(text);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

const context = contextOf(
  { type: "state", shared: { a: 1, list: [1, 2] }, global: true },
  { type: "state", shared: { b: 2 }, begin: true, _instance: "①" },
  { type: "input", text: "all", lang: "en" },
  { type: "input", text: "first", _instance: "①" },
  { type: "data", kind: "shape", schema: { type: "object" } },
);

describe("P14b: what an instance reads", () => {
  test("P14b: its own message is laid deeply over the global one, and the own state is the one of now", () => {
    let own: Json = { shared: { b: 2 }, begin: true };
    const { read } = createScope(context, "①", () => own);
    expect(read(reference("†input.text"))).toBe("first");
    expect(read(reference("†input.lang"))).toBe("en");
    expect(read(reference("†state.shared"))).toEqual({ a: 1, list: [1, 2], b: 2 });
    expect(read(reference("†state.shared.list[1]"))).toBe(2);
    expect(read(reference("†state.done"))).toBeUndefined();
    own = { done: 1 };
    expect(read(reference("†state"))).toEqual({ shared: { a: 1, list: [1, 2] }, global: true, done: 1 });
    expect(read(reference("†state.begin"))).toBeUndefined();
  });

  test("P14b: an own value that is no object hides the global one below it", () => {
    const { read } = createScope(context, "①", () => ({ shared: [9], global: null }));
    expect(read(reference("†state.shared"))).toEqual([9]);
    expect(read(reference("†state.shared.a"))).toBeUndefined();
    expect(read(reference("†state.shared[0]"))).toBe(9);
    expect(read(reference("†state.global"))).toBeNull();
  });

  test("P14b: an own object hides a global list below it", () => {
    const listed = contextOf({ type: "state", items: [["global"]] });
    const { read } = createScope(listed, "①", () => ({ items: {} }));
    expect(read(reference("†state.items"))).toEqual({});
    expect(read(reference("†state.items[0]"))).toBeUndefined();
  });

  test("P14b: without instances the own state is the whole", () => {
    const alone = contextOf({ type: "state", begin: 1 });
    const { read, has } = createScope(alone, "", () => ({ now: 1 }));
    expect(read(reference("†state"))).toEqual({ now: 1 });
    expect(createScope(alone, "", () => undefined).read(reference("†state"))).toBeUndefined();
    expect([has("state"), has("input")]).toEqual([true, false]);
  });

  test("P14b: a blueprint is a kind without anything present", () => {
    const { read, has } = createScope(context, "①", () => undefined);
    expect(has("shape")).toBe(true);
    expect(read(reference("†shape"))).toBeUndefined();
  });

  test("P25: another instance's messages are not seen", () => {
    const { read, has } = createScope(contextOf({ type: "input", x: 1, _instance: "②" }), "①", () => ({}));
    expect(read(reference("†input.x"))).toBeUndefined();
    expect(has("input")).toBe(false);
  });

  test("P14b: going down both layers gives what laying the whole trees over one another gives", () => {
    const keys = fc.constantFrom("a", "b", "__proto__", "0");
    const tree = fc.letrec<{ node: Json }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, depthIdentifier: "tree" },
        fc.constantFrom<Json>(null, 0, "x"),
        fc.array(tie("node"), { maxLength: 2 }),
        fc.dictionary(keys, tie("node"), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).node;
    const object = fc.dictionary(keys, tree, { maxKeys: 3, noNullPrototype: true });
    const path = fc.array(fc.oneof(keys, fc.nat(2)), { maxLength: 4 });
    fc.assert(
      fc.property(object, fc.option(object, { nil: undefined }), path, (global, own, path) => {
        const both: Context = { data: [{ kind: "state", instance: "", data: global }], text: [] };
        const whole = layOver(global, own);
        const { read } = createScope(both, "①", () => own);
        expect(read({ kind: "state", path })).toEqual(whole === undefined ? undefined : valueAt(whole, path));
      }),
    );
  });
});

describe("P28: what scopes let through", () => {
  test("P28: exactly the named kinds, the global message and then the instance's, without its instance", () => {
    expect(scopedMessages(context, "①", ["input"], () => ({}))).toEqual([
      { kind: "input", instance: "", data: { text: "all", lang: "en" } },
      { kind: "input", instance: "", data: { text: "first" } },
    ]);
    expect(scopedMessages(context, "①", [], () => ({ secret: 1 }))).toEqual([]);
    expect(scopedMessages(context, "①", ["nothing", "shape", "shape"], () => ({}))).toEqual([
      { kind: "shape", instance: "", schema: { type: "object" } },
    ]);
  });

  test("P28: the state is passed on as it is now, with its schema", () => {
    expect(scopedMessages(context, "①", ["state"], () => ({ now: 1 }))).toEqual([
      { kind: "state", instance: "", data: { shared: { a: 1, list: [1, 2] }, global: true } },
      { kind: "state", instance: "", data: { now: 1 } },
    ]);
    const alone = contextOf({ type: "state", begin: 1, schema: { type: "object" } });
    expect(scopedMessages(alone, "", ["state"], () => ({ now: 1 }))).toEqual([
      { kind: "state", instance: "", data: { now: 1 }, schema: { type: "object" } },
    ]);
    expect(scopedMessages({ data: [], text: [] }, "", ["state"], () => ({ now: 1 }))).toEqual([
      { kind: "state", instance: "", data: { now: 1 } },
    ]);
    expect(scopedMessages({ data: [], text: [] }, "", ["state"], () => undefined)).toEqual([]);
  });

  test("P8, P28: messages are passed by value", () => {
    const state = { list: [1] };
    const [message] = scopedMessages({ data: [], text: [] }, "", ["state"], () => state);
    expect(message?.data).toEqual(state);
    expect(message?.data).not.toBe(state);
    const [input] = scopedMessages(context, "", ["input"], () => undefined);
    expect(input?.data).not.toBe(context.data.find(({ kind }) => kind === "input")?.data);
  });
});
