import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { addCall, deleteCalls } from "./call-list.ts";
import { addAlternative, connect } from "./connect.ts";
import { copyCalls, idFor, pasteCalls } from "./copy.ts";
import { renamePath } from "./paths.ts";
import { type PlanText, readPlanText } from "./plan-text.ts";
import { printCalls } from "./print-call.ts";
import { removeValue, setValue } from "./set-value.ts";
import { applyEdits, type TextEdit } from "./text-edit.ts";

const PLAN = `[
  { "_tool": "order.read", "_id": "order", "id": "†input.id", "_outputPath": "†state.order" },
  {
    "_tool":   "mail.send",
    "_id": "mail", "sum": 1.50,
    "to": { "name": "Vera",  "tags": [ "a" ] }
  }
]
`;

function planOf(text: string): PlanText {
  const plan = readPlanText(text);
  if (!plan) throw new Error(`Not a plan: ${text}`);
  return plan;
}

/** Edits a text; an edit that is not possible fails the test. */
function edit(text: string, make: (plan: PlanText) => readonly TextEdit[] | null): string {
  const edits = make(planOf(text));
  if (!edits) throw new Error("The edit is not possible");
  return applyEdits(text, edits);
}

test("only a list of objects is a plan's text, and an empty text is an empty plan", () => {
  expect(readPlanText("")?.calls).toEqual([]);
  for (const broken of ["[", "{}", "[1]", '[{ "a": 1, }]', '[{ "a": 01 }]']) expect(readPlanText(broken)).toBeNull();
});

describe("setting a value", () => {
  test("replaces the value alone", () => {
    expect(edit(PLAN, (plan) => setValue(plan, "mail", ["sum"], 2))).toBe(PLAN.replace("1.50", "2"));
    expect(edit(PLAN, (plan) => setValue(plan, "mail", ["to", "name"], "†state.order.name"))).toBe(
      PLAN.replace('"Vera"', '"†state.order.name"'),
    );
  });

  test("leaves an equal value as it is written", () => {
    expect(planOf(PLAN)).toSatisfy((plan: PlanText) => setValue(plan, "mail", ["sum"], 1.5)?.length === 0);
  });

  test("adds a parameter after the last one, in the layout of its neighbours", () => {
    expect(edit(PLAN, (plan) => setValue(plan, "order", ["full"], true))).toBe(
      PLAN.replace('"†input.id",', '"†input.id", "full": true,'),
    );
    expect(edit(PLAN, (plan) => setValue(plan, "mail", ["text"], "Hello"))).toBe(
      PLAN.replace('[ "a" ] }', '[ "a" ] },\n    "text": "Hello"'),
    );
  });

  test("adds what is missing on the way, and appends to a list", () => {
    expect(edit(PLAN, (plan) => setValue(plan, "mail", ["to", "tags", 1], "b"))).toContain('[ "a", "b" ]');
    expect(edit(PLAN, (plan) => setValue(plan, "order", ["filter", "tags", 0], "b"))).toContain(
      '"filter": { "tags": [ "b" ] }',
    );
  });

  test("is not possible below a value that is no object, or in an unknown call", () => {
    expect(setValue(planOf(PLAN), "mail", ["sum", "net"], 1)).toBeNull();
    expect(setValue(planOf(PLAN), "gone", ["sum"], 1)).toBeNull();
  });
});

test("removing takes the comma along, also of the last property and of the only one", () => {
  expect(edit(PLAN, (plan) => removeValue(plan, "mail", ["sum"]))).toContain('"_id": "mail", "to": {');
  expect(edit(PLAN, (plan) => removeValue(plan, "order", ["_outputPath"]))).toContain('"id": "†input.id" },');
  expect(edit(PLAN, (plan) => removeValue(plan, "mail", ["to", "tags", 0]))).toContain('"tags": []');
  expect(edit(PLAN, (plan) => removeValue(plan, "mail", ["gone"]))).toBe(PLAN);
  const repeated = '[{ "_tool": "a", "x": 1, "y": 0, "x": 2 }]';
  expect(edit(repeated, (plan) => removeValue(plan, "a#1", ["x"]))).toBe('[{ "_tool": "a", "y": 0 }]');
});

test("a call is added after another one or at the end, indented like it", () => {
  const call = { _tool: "a", _id: "new" };
  const written = '{\n    "_tool": "a",\n    "_id": "new"\n  }';
  expect(edit(PLAN, (plan) => addCall(plan, call, "order"))).toBe(
    PLAN.replace('"†state.order" },', `"†state.order" },\n  ${written},`),
  );
  expect(edit(PLAN, (plan) => addCall(plan, call))).toBe(PLAN.replace("  }\n]", `  },\n  ${written}\n]`));
  for (const empty of ["", "[]", "[ \n ]"])
    expect(edit(empty, (plan) => addCall(plan, call))).toBe(`[\n  ${written}\n]`);
});

test("deleting calls leaves the others as they are", () => {
  expect(edit(PLAN, (plan) => deleteCalls(plan, ["order"]))).toBe(PLAN.replace(/\{ "_tool": "order.*\n {2}/, ""));
  expect(edit(PLAN, (plan) => deleteCalls(plan, ["mail"]))).toBe(`${PLAN.slice(0, PLAN.indexOf(",\n  {"))}\n]\n`);
  expect(edit(PLAN, (plan) => deleteCalls(plan, ["mail", "order"]))).toBe("[]\n");
  const four = printCalls(["a", "b", "c", "d"].map((_id) => ({ _tool: "t", _id })));
  expect(planOf(edit(four, (plan) => deleteCalls(plan, ["a", "c"]))).ids).toEqual(["b", "d"]);
});

describe("connecting", () => {
  const edge = { writer: "order", reader: "mail", joining: "replace", path: null } as const;

  test("gives a writer without an output path one", () => {
    const text = PLAN.replace(', "_outputPath": "†state.order"', "");
    const written = connect(planOf(text), { ...edge, parameter: ["to", "name"] });
    expect(applyEdits(text, written?.edits ?? [])).toBe(PLAN.replace('"Vera"', '"†state.order"'));
  });

  test("a new path overlaps no other one", () => {
    const text = printCalls([
      { _tool: "a", _id: "order" },
      { _tool: "b", _id: "mail", _outputPath: "†state.order.total" },
    ]);
    expect(connect(planOf(text), { ...edge, parameter: ["sum"] })?.path.path).toEqual(["order_2"]);
  });

  test("joins what the parameter reads: as a fallback, or as a gate of each alternative", () => {
    const text = printCalls([
      { _tool: "a", _id: "order", _outputPath: "†state.order" },
      { _tool: "b", _id: "mail", sum: "†state.x || †state.y" },
    ]);
    const path = { kind: "state", path: ["order", "sum"] };
    const sumWith = (joining: "fallback" | "gate" | "replace") => {
      const { edits } = connect(planOf(text), { ...edge, path, parameter: ["sum"], joining }) ?? { edits: [] };
      return planOf(applyEdits(text, edits)).calls[1]?.sum;
    };
    expect(sumWith("fallback")).toBe("†state.x || †state.y || †state.order.sum");
    expect(sumWith("gate")).toBe("†state.order.sum && †state.x || †state.order.sum && †state.y");
    expect(sumWith("replace")).toBe("†state.order.sum");
  });

  test("is not possible from a call to itself", () => {
    expect(connect(planOf(PLAN), { ...edge, reader: "order", parameter: ["id"] })).toBeNull();
  });
});

test("an error goes to the last alternative, and branches stand before it", () => {
  const once = edit(PLAN, (plan) => addAlternative(plan, "order", "error"));
  expect(planOf(once).calls[0]?._outputPath).toBe("†state.order || †state.order_error");
  const twice = edit(once, (plan) => addAlternative(plan, "order", "branch"));
  expect(planOf(twice).calls[0]?._outputPath).toBe("†state.order || †state.order_or || †state.order_error");
});

test("a renamed path is renamed wherever it is written or read, and nowhere else", () => {
  const text = `[
  { "_tool": "a", "_outputPath": "†state.order||†state.order_error" },
  { "_tool": "b", "x": [{ "y": "†state.order.sum && †state.z" }], "note": "††state.order", "_output": "†state.order" },
  { "_tool": "b", "x":   "†state.orders" }
]`;
  expect(edit(text, (plan) => renamePath(plan, ["order"], ["deal"]))).toBe(
    text
      .replace('"†state.order||†state.order_error"', '"†state.deal || †state.order_error"')
      .replace('"†state.order.sum && †state.z"', '"†state.deal.sum && †state.z"'),
  );
});

test("copies get ids and paths of their own, and read each other's", () => {
  const text = printCalls([
    { _tool: "a", _id: "one", _outputPath: "†state.one" },
    { _tool: "b", x: "†state.one.y", z: "†state.other", _outputPath: "†state.two" },
  ]);
  const copied = copyCalls(planOf(text), ["one", "b#1"]);
  const pasted = pasteCalls(planOf(text), copied, null);
  expect(pasted?.ids).toEqual(["one_2", "b"]);
  expect(planOf(applyEdits(text, pasted?.edits ?? [])).calls.slice(2)).toEqual([
    { _tool: "a", _id: "one_2", _outputPath: "†state.one_2" },
    { _tool: "b", _id: "b", x: "†state.one_2.y", z: "†state.other", _outputPath: "†state.two_2" },
  ]);
  expect(pasteCalls(planOf(text), "Hello", null)).toBeNull();
});

describe("any sequence of edits", () => {
  const name = fc.constantFrom("a", "b", "_x", "x y", "__proto__", "", "é");
  const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<Json>("†state.a", "†state.a || †state.b.c", "††", "†broken .", '"\\', null, true, 1e21, "[]{},:"),
      fc.string(),
      fc.integer(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc
        .array(fc.tuple(name, tie("value")), { maxLength: 3 })
        .map((entries): JsonObject => Object.fromEntries(entries)),
    ),
  })).value;
  const call = fc
    .record(
      { _tool: fc.constantFrom("t", "u.v"), _id: fc.constantFrom("one", "two", "three") },
      { requiredKeys: ["_tool"] },
    )
    .chain((head) => fc.dictionary(name, value, { maxKeys: 4 }).map((rest): JsonObject => ({ ...rest, ...head })));
  const layout = fc.constantFrom(
    (calls: JsonObject[]) => printCalls(calls),
    (calls: JsonObject[]) => JSON.stringify(calls),
    (calls: JsonObject[]) => JSON.stringify(calls, null, "\t"),
    (calls: JsonObject[]) => ` ${JSON.stringify(calls, null, 4).replaceAll("\n", "\r\n")}\n\n`,
  );
  const text = fc.tuple(fc.array(call, { maxLength: 5 }), layout).map(([calls, print]) => print(calls));
  const path = fc.array(fc.oneof(name, fc.nat(2)), { minLength: 1, maxLength: 3 });
  const steps = fc.array(fc.record({ kind: fc.nat(7), one: fc.nat(5), other: fc.nat(5), path, value }), {
    maxLength: 8,
  });

  interface Step {
    kind: number;
    one: number;
    other: number;
    path: (string | number)[];
    value: Json;
  }

  /** The edits of a step, and the calls that it may change. */
  function editsOf(plan: PlanText, { kind, one, other, path: at, value: given }: Step) {
    const id = plan.ids[one % Math.max(1, plan.ids.length)] ?? "";
    const second = plan.ids[other % Math.max(1, plan.ids.length)] ?? "";
    switch (kind) {
      case 0:
        return { edits: addCall(plan, { _tool: "t", _id: idFor(plan, "t.x"), a: given }, id), touched: [] };
      case 1:
        return { edits: deleteCalls(plan, [id, second]), touched: [id, second] };
      case 2:
        return { edits: setValue(plan, id, at, given), touched: [id] };
      case 3:
        return { edits: removeValue(plan, id, at), touched: [id] };
      case 4:
        return { edits: setValue(plan, id, ["_id"], idFor(plan, "new")), touched: [id] };
      case 5: {
        const edge = { writer: id, reader: second, parameter: at, path: null, joining: "gate" } as const;
        return { edits: connect(plan, edge)?.edits ?? null, touched: [id, second] };
      }
      case 6:
        return { edits: addAlternative(plan, id, other % 2 === 0 ? "branch" : "error"), touched: [id] };
      default:
        return { edits: pasteCalls(plan, copyCalls(plan, [id, second]), second)?.edits ?? null, touched: [] };
    }
  }

  test("keeps the plan parseable, and other calls' text as it is", () => {
    fc.assert(
      fc.property(text, steps, (start, all) => {
        let now = start;
        for (const step of all) {
          const plan = planOf(now);
          const { edits, touched } = editsOf(plan, step);
          if (!edits) continue;
          const next = planOf(applyEdits(now, edits));
          // Of the calls that stay, each has its text; ids that are not written follow from the places.
          const texts = next.nodes.map(({ from, to }) => next.json.text.slice(from, to));
          let found = -1;
          for (const [index, { from, to }] of plan.nodes.entries()) {
            if (touched.includes(plan.ids[index] ?? "")) continue;
            found = texts.indexOf(now.slice(from, to), found + 1);
            expect(found).toBeGreaterThanOrEqual(0);
          }
          now = next.json.text;
        }
      }),
      { numRuns: 400 },
    );
  });

  test("a value that was set is read back", () => {
    fc.assert(
      fc.property(text, fc.nat(5), fc.constantFrom("a", "x y", "__proto__", "b"), value, (start, index, key, given) => {
        const plan = planOf(start);
        const id = plan.ids[index % Math.max(1, plan.ids.length)] ?? "";
        const edits = setValue(plan, id, [key], given);
        if (!edits) return;
        const next = planOf(applyEdits(start, edits));
        const written = next.calls[plan.ids.indexOf(id)];
        expect(JSON.stringify(written && Object.entries(written).find(([name]) => name === key)?.[1])).toBe(
          JSON.stringify(given),
        );
      }),
    );
  });
});
