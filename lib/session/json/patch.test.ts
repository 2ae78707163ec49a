import fc from "fast-check";
import jsonPatch, { type Operation } from "fast-json-patch";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "./json.ts";
import { type PatchOperation, patchBetween, patched } from "./patch.ts";

/** A deeply frozen document, so that mutations throw. */
const frozen = <Value extends Json>(value: Value): Value => {
  if (typeof value === "object" && value !== null) for (const child of Object.values(value)) frozen(child);
  return Object.freeze(value);
};

const document: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, 1, "a", true),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "a/b", "0"), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const pointer = fc
  .array(fc.constantFrom("a", "b", "a~1b", "0", "1", "-"), { maxLength: 3 })
  .map((keys) => keys.map((key) => `/${key}`).join(""));

const operation: fc.Arbitrary<PatchOperation> = fc.oneof(
  fc.record({ op: fc.constantFrom("add", "replace", "test"), path: pointer, value: document }),
  fc.record({ op: fc.constant("remove"), path: pointer }),
  fc.record({ op: fc.constantFrom("move", "copy"), from: pointer, path: pointer }),
);

/** The result, or that it does not apply. */
const outcome = (act: () => Json): { is: Json } | "does not fit" => {
  try {
    return { is: act() };
  } catch {
    return "does not fit";
  }
};

describe("M11, E6: a memory after a patch", () => {
  test("equals the library's result, and the input is never changed", () => {
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 5 }), (before, operations) => {
        fc.pre(!operations.some(isIntoItself));
        const expected = outcome(() => structuredClone(operations).reduce(byLibrary, structuredClone(before)));
        expect(outcome(() => patched(frozen(before), operations.map(frozenOperation)))).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    { op: "add", path: "/a/b", value: 1 },
    { op: "replace", path: "/a/length", value: 1 },
    { op: "copy", from: "/a/0", path: "/c" },
    { op: "test", path: "/a/0", value: "t" },
  ] as const)("nothing is in a text: $op", (into) => {
    expect(() => patched({ a: "text" }, [into])).toThrow("neither an object nor an array");
  });

  test("a move's target is resolved after the removal", () => {
    const before = frozen([[1], { a: 1 }, { b: 2 }]);
    expect(patched(before, [{ op: "move", from: "/0", path: "/1/c" }])).toEqual([{ a: 1 }, { b: 2, c: [1] }]);
  });

  test.each(["", "/a"])("what is moved from %j into itself is refused (RFC 6902, 4.4)", (from) => {
    const into = `${from}/b`;
    expect(() => patched({ a: { b: 1 } }, [{ op: "move", from, path: into }])).toThrow("inside it");
  });

  test("shares unchanged parts, so that its length costs nothing", () => {
    const before = { done: [{ description: "a" }], goals: ["x"] };
    const after = patched(before, [{ op: "add", path: "/done/-", value: { description: "b" } }]);
    expect(after).toEqual({ done: [{ description: "a" }, { description: "b" }], goals: ["x"] });
    expect(before.done).toHaveLength(1);
    if (typeof after !== "object" || after === null || Array.isArray(after)) throw new Error("It is no document");
    expect(after.goals).toBe(before.goals);
    expect(after.done).toMatchObject([before.done[0] ?? null, {}]);
  });

  test("is limited in size: by copies, in one patch or many", () => {
    const double = { op: "copy", from: "/a", path: "/a/-" } as const;
    const begin = { a: ["x".repeat(1_000)] };
    expect(() => patched(begin, Array(27).fill(double))).toThrow(/copy|larger than 5 MB/);
    const grow = () => Array.from({ length: 27 }).reduce<Json>((document) => patched(document, [double]), begin);
    expect(grow).toThrow("larger than 5 MB");
    const swap: PatchOperation[] = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0 ? { op: "copy", from: "/a", path: "/b" } : { op: "remove", path: "/b" },
    );
    expect(() => patched({ a: "x".repeat(1_500_000) }, swap)).toThrow("10 MB");
  });

  test("is limited in nesting and in shifted array entries", () => {
    const deeper: PatchOperation = { op: "copy", from: "", path: "/a" };
    expect(() => Array.from({ length: 70 }).reduce<Json>((document) => patched(document, [deeper]), {})).toThrow(
      "deeper than 64 levels",
    );
    const shifts = Array.from({ length: 2_000 }, (): PatchOperation => ({ op: "add", path: "/0", value: 1 }));
    expect(() => patched(Array<Json>(50_000).fill(0), shifts)).toThrow("array entries");
    expect(
      patched(
        [],
        shifts.map((shift) => ({ ...shift, path: "/-" })),
      ),
    ).toHaveLength(2_000);
  });

  test("a replaced value frees its size", () => {
    const large = "x".repeat(3_000_000);
    const patch: PatchOperation[] = [
      { op: "replace", path: "/a", value: `${large}1` },
      { op: "add", path: "/a", value: `${large}2` },
      { op: "replace", path: "", value: { a: `${large}3` } },
      { op: "move", from: "/a", path: "/b" },
    ];
    expect(patched({ a: large }, patch)).toEqual({ b: `${large}3` });
  });

  test("is the one that the patch was created for", () => {
    const whole = fc.dictionary(fc.constantFrom("a", "b", "c"), document, { noNullPrototype: true });
    fc.assert(
      fc.property(whole, whole, (before: JsonObject, after: JsonObject) => {
        expect(patched(frozen(before), patchBetween(before, after))).toEqual(after);
      }),
    );
  });
});

function byLibrary(given: Json, operation: Operation): Json {
  if (operation.op === "move") {
    // The RFC requires both; the library does not check the second.
    const { from, path } = operation;
    const value = structuredClone(jsonPatch.getValueByPointer(given, from));
    return byLibrary(byLibrary(given, { op: "remove", path: from }), { op: "add", path, value });
  }
  const pointers = "from" in operation ? [operation.from, operation.path] : [operation.path];
  // As a script, the library does nothing then, or reads a character of a text; as a module it throws.
  if (pointers.some((pointer) => isInValue(given, pointer))) throw new Error("There is no such place");
  const { newDocument } = jsonPatch.applyOperation<Json | undefined>(given, operation, true, true);
  // The library's result for a missing source of a move or copy to the root.
  if (newDocument === undefined) throw new Error("There is no such place");
  return newDocument;
}

/** Whether a pointer leads into a value that is neither an object nor an array. */
function isInValue(given: Json, pointer: string): boolean {
  if (pointer === "") return false;
  const above: unknown = jsonPatch.getValueByPointer(given, pointer.slice(0, pointer.lastIndexOf("/")));
  return above !== undefined && (typeof above !== "object" || above === null);
}

/** Forbidden by the RFC, but accepted by the library. */
function isIntoItself(operation: PatchOperation): boolean {
  return operation.op === "move" && operation.path.startsWith(`${operation.from}/`);
}

function frozenOperation(given: PatchOperation): PatchOperation {
  if ("value" in given) frozen(given.value);
  return given;
}
