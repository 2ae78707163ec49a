import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseOutputPath, parsePath, type Target } from "./output-path.ts";
import { printExpression } from "./reference.ts";

const target = (...path: string[]) => ({ kind: "state", path });

describe("output paths", () => {
  test("P9: one path, the whole state too", () => {
    expect(parseOutputPath("†state.order.total")).toEqual({ ok: true, value: [[target("order", "total")]] });
    expect(parseOutputPath("†state")).toEqual({ ok: true, value: [[target()]] });
    expect(parsePath('†state["0"]')).toEqual({ ok: true, value: target("0") });
  });

  test("P9: only state can be written, and no array position", () => {
    expect(parseOutputPath("†state.a || †input.x")).toMatchObject({
      ok: false,
      error: { position: 12, message: expect.stringContaining("†input") },
    });
    expect(parseOutputPath("†state.a[0]")).toMatchObject({
      ok: false,
      error: { position: 0, message: expect.stringContaining("[0]") },
    });
    expect(parsePath("†state.a.0")).toMatchObject({ ok: false });
    expect(parsePath("†state.a || †state.b")).toMatchObject({ ok: false });
  });

  test("P10, P11: alternatives of fan-outs", () => {
    expect(parseOutputPath("†state.a && †state.b || †state.error")).toEqual({
      ok: true,
      value: [[target("a"), target("b")], [target("error")]],
    });
  });

  test("P9, P10, P11: what is printed is read back the same", () => {
    const name = fc.oneof(fc.string(), fc.constantFrom("0", "a.b", '"]', "__proto__", ""));
    // Keys of a fan-out begin differently, so that none is inside of another.
    const fanOut = fc
      .array(fc.array(name, { maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map((paths) => paths.map((path, index): Target => ({ kind: "state", path: [`k${index}`, ...path] })));
    fc.assert(
      fc.property(
        fc.array(fanOut, { minLength: 1, maxLength: 3 }),
        (value) => void expect(parseOutputPath(printExpression(value))).toEqual({ ok: true, value }),
      ),
    );
  });

  test("P9: any text is read or refused with a place inside of it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("†state", "†input", ".a", "[0]", " || ", "&&", '["', '"]', "é") }),
        (text) => {
          const parsed = parseOutputPath(text);
          if (!parsed.ok) expect(parsed.error.position).toBeLessThanOrEqual(text.length);
          else
            for (const { kind, path } of parsed.value.flat())
              expect([kind, path.every((key) => typeof key === "string")]).toEqual(["state", true]);
        },
      ),
    );
  });

  test("P11: a fan-out cannot write one result to a path and to one inside of it", () => {
    expect(parseOutputPath("†state.b || †state.a && †state.a.b")).toMatchObject({
      ok: false,
      error: { position: 24, message: expect.stringContaining("†state.a.b and †state.a") },
    });
    expect(parseOutputPath("†state.a && †state.a")).toMatchObject({ ok: false });
    // Alternatives may: only one of them is written.
    expect(parseOutputPath("†state.a || †state.a.b")).toMatchObject({ ok: true });
    expect(parseOutputPath("†state && †state.copy")).toMatchObject({ ok: true });
  });

  test("P9: a path is no longer than the event of its write holds", () => {
    expect(parsePath(`†state.${"x".repeat(1_993)}`)).toMatchObject({ ok: true });
    expect(parsePath(`†state.${"x".repeat(1_994)}`)).toMatchObject({ ok: false });
  });
});
