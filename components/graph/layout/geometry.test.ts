import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCall, readCalls } from "@/lib/plan/call.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { boxOf, CARD, placeKey } from "./geometry.ts";

function box(call: JsonObject) {
  return boxOf(readCall({ _tool: "crm.deal.get", ...call }, "c"));
}

const path = fc.constantFrom(
  "†state.a",
  "†state.b.c",
  "†input.deals[0].id",
  "†state.a && †state.b",
  "†state.a || †state.b && †state.c",
  "text",
);
const call = fc.record({
  _tool: fc.constantFrom("a", "crm.deal.category.stage.list", "проверитьПолитикуСкидок", "x".repeat(80)),
  p: fc.array(path, { maxLength: 5 }),
  q: fc.option(path),
  _outputPath: fc.option(
    fc.constantFrom("†state.x", "†state.x && †state.y", "†state.x || †state.y", "†state.a && †state.b || †state.error"),
  ),
});

describe("C4: the size of a call", () => {
  test("C4: there is room for a gate's sign beside its longest paths", () => {
    const long = `†state.${"x".repeat(80)}`;
    const { pills, width } = box({ p: `${long} && ${long}y`, q: `${long}z` });
    expect(pills.map(({ width: wide }) => width - wide >= 52)).toEqual([true, true, false]);
  });

  test("C4: inputs are above the card, outputs inside, without overlaps", () => {
    fc.assert(
      fc.property(call, (one) => {
        const { pills, outputs, top, height, width } = box(one);
        pills.forEach(({ y, width: wide }, index) => {
          expect(y - CARD.pill / 2).toBeGreaterThanOrEqual(0);
          expect(y + CARD.pill / 2).toBeLessThan(top);
          expect(wide).toBeLessThanOrEqual(width);
          if (index > 0) expect(y - (pills[index - 1]?.y ?? 0)).toBeGreaterThanOrEqual(CARD.pill);
        });
        outputs.forEach(({ y }, index) => {
          expect(y).toBeGreaterThan(top + CARD.title);
          expect(y + CARD.output / 2).toBeLessThan(height);
          if (index > 0) expect(y - (outputs[index - 1]?.y ?? 0)).toBe(CARD.output);
        });
        expect(width).toBeLessThanOrEqual(CARD.maxWidth);
      }),
    );
  });

  test("C4: every reference of a call has an input", () => {
    fc.assert(
      fc.property(call, (one) => {
        const read = readCall(one, "c");
        const { pillOf, pills } = boxOf(read);
        read.reads.forEach(({ expression }, index) => {
          expression.forEach((gate, alternative) => {
            gate.forEach((reference, member) => {
              const pill = pills[pillOf.get(placeKey({ read: index, alternative, member })) ?? -1];
              expect(pill?.reference).toEqual(reference);
            });
          });
        });
      }),
    );
  });

  test("C4: a path that several parameters read has one input", () => {
    expect(box({ a: "†state.x", b: "†state.x" }).pills).toHaveLength(1);
    expect(box({ a: "†state.x", b: "†state.x && †state.y" }).pills).toHaveLength(3);
  });

  test("P15: a gate has a bar across its inputs, a fallback a bracket", () => {
    const { bars, pills } = box({ a: "†state.x && †state.y", b: "†state.v || †state.w" });
    expect(bars.map(({ kind }) => kind)).toEqual(["gate", "fallback"]);
    expect(bars[0]).toMatchObject({
      top: (pills[0]?.y ?? 0) - CARD.pill / 2,
      bottom: (pills[1]?.y ?? 0) + CARD.pill / 2,
    });
    expect(pills.map(({ fallback }) => fallback)).toEqual([false, false, true, true]);
  });

  test("P9, P11, P27: only targets of the same value are a fan-out; keys of `†state` and a delegate's writes are not", () => {
    const call = { _tool: "t", _id: "c", _outputPath: "†state.a && †state.b" };
    const fanOuts = (one: JsonObject, known: { keys?: string[]; writes?: string[] }) =>
      readCalls([one], [{ call_id: "c", ...known }]).flatMap((each) => boxOf(each).outputs.map(({ fanOut }) => fanOut));
    expect(fanOuts(call, { writes: ["†state.note"] })).toEqual([true, true, false]);
    expect(fanOuts({ ...call, _outputPath: "†state" }, { keys: ["a", "b"] })).toEqual([false, false]);
  });

  test("C4: a call's status does not change its size", () => {
    expect(box({ a: "†state.x", b: 1, c: 2 }).height).toBe(box({ a: "†state.x" }).height);
    expect(box({ a: "a long value that will not fit into the card at all, whatever one does" }).width).toBe(
      box({ a: "b" }).width,
    );
  });
});
