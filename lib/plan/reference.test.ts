import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Expression,
  parseExpression,
  parseReference,
  parseText,
  printExpression,
  printReference,
  type Reference,
  valueAt,
} from "./reference.ts";

const kind = fc.stringMatching(/^[\p{L}\p{Nd}_-]+$/u).filter((text) => text.length > 0);
const segment = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.nat(),
  fc.constantFrom('"]', "\\", '\\"', "__proto__", "0", "07", "", "a.b"),
);
const reference: fc.Arbitrary<Reference> = fc.record({ kind, path: fc.array(segment, { maxLength: 5 }) });
const expression: fc.Arbitrary<Expression> = fc.array(fc.array(reference, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
});

function read(text: string): Reference | string {
  const parsed = parseReference(text);
  return parsed.ok ? parsed.value : `${parsed.error.position}: ${parsed.error.message}`;
}

describe("P3: references", () => {
  test("P3: what is printed is read back the same", () => {
    fc.assert(
      fc.property(
        reference,
        (value) => void expect(parseReference(printReference(value))).toEqual({ ok: true, value }),
      ),
    );
    fc.assert(
      fc.property(
        expression,
        (value) => void expect(parseExpression(printExpression(value))).toEqual({ ok: true, value }),
      ),
    );
  });

  test("P3: any text is read or refused with a place inside of it", () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'†.[]"\\|& a0é-') }),
      fc.string({ unit: "binary" }).map((any) => `†${any}`),
      fc
        .array(fc.constantFrom("†state", ".a", "[0]", '["', '"]', "||", "&&", " ", "\n", "\u0301", "\ud800"))
        .map((all) => all.join("")),
    );
    fc.assert(
      fc.property(text, (text) => {
        const parsed = parseExpression(text);
        if (!parsed.ok) expect(parsed.error.position).toBeLessThanOrEqual(text.length);
        else expect(parseExpression(printExpression(parsed.value))).toEqual(parsed);
      }),
    );
  });

  test("P3: a text of megabytes is read or refused, too", () => {
    const long = 500_000;
    expect(parseExpression("†a&&".repeat(long))).toMatchObject({ ok: false, error: { position: 4 * long } });
    expect(parseExpression(`†a${" || †a".repeat(long)}`)).toMatchObject({ ok: true });
    expect(parseExpression(`†a["${"x".repeat(long)}`)).toMatchObject({ ok: false, error: { position: 4 } });
    expect(parseExpression(`†a${".b".repeat(long)}`)).toMatchObject({
      ok: false,
      error: { position: 2 + 2 * 65, message: expect.stringContaining("64") },
    });
  });

  test("P3: names, positions and quoted keys", () => {
    expect(read("†state")).toEqual({ kind: "state", path: [] });
    expect(read("†input.deals[0].id")).toEqual({ kind: "input", path: ["deals", 0, "id"] });
    expect(read("†input.deals.0")).toEqual({ kind: "input", path: ["deals", 0] });
    expect(read("†состояние.сделка-1.2fa")).toEqual({ kind: "состояние", path: ["сделка-1", "2fa"] });
    expect(read('†state["a b"]["c.d"]["\\"]"]')).toEqual({ kind: "state", path: ["a b", "c.d", '"]'] });
    expect(read("†state.007")).toEqual({ kind: "state", path: ["007"] });
  });

  test("P3: an error tells where", () => {
    expect(read("state.x")).toMatch(/^0: /);
    expect(read("†.x")).toMatch(/^1: /);
    expect(read("†state.")).toMatch(/^7: /);
    expect(read("†state[x]")).toMatch(/^7: /);
    expect(read("†state[1")).toMatch(/^8: /);
    expect(read('†state["a')).toMatch(/^8: /);
    expect(read("†state.a b")).toMatch(/^9: /);
    expect(read("†state.a || †state.b")).toMatch(/^9: /);
    expect(read("†state[99999999999999999999]")).toMatch(/^7: /);
  });

  test("P3: a sign that no name can have is told with the way to write such a key", () => {
    expect(read("†state.user@home")).toMatch(/^11: @ .*\["…"\]/);
    // A letter with a combining mark is no letter: only its composed form is a plain name.
    expect(read("†state.cafe\u0301")).toMatch(/^11: .*\["…"\]/);
    expect(read("†state.caf\u00e9")).toEqual({ kind: "state", path: ["caf\u00e9"] });
    expect(printReference({ kind: "state", path: ["cafe\u0301"] })).toBe('†state["cafe\u0301"]');
    expect(read("†state.x①")).toMatch(/^8: ①/);
  });

  test("P3: && binds tighter than ||, spaces do not matter", () => {
    const a: Reference = { kind: "a", path: [] };
    const b: Reference = { kind: "b", path: ["x"] };
    const c: Reference = { kind: "c", path: [] };
    const expected = { ok: true, value: [[a, b], [c]] };
    expect(parseExpression("†a && †b.x || †c")).toEqual(expected);
    expect(parseExpression("†a&&†b.x||†c")).toEqual(expected);
    expect(parseExpression("†a \n&&\t†b.x  ||  †c  ")).toEqual(expected);
    expect(parseExpression("†a & & †b")).toMatchObject({ ok: false, error: { position: 3 } });
    expect(parseExpression("†a ||")).toMatchObject({ ok: false, error: { position: 5 } });
    expect(parseExpression("†a | †b")).toMatchObject({ ok: false, error: { position: 3 } });
  });

  test("P3: a doubled † and a † further inside are text", () => {
    expect(parseText("††state.x")).toEqual({ ok: true, value: { kind: "literal", text: "†state.x" } });
    expect(parseText("see †state.x")).toEqual({ ok: true, value: { kind: "literal", text: "see †state.x" } });
    expect(parseText("")).toEqual({ ok: true, value: { kind: "literal", text: "" } });
    expect(parseText("†state.x")).toMatchObject({ ok: true, value: { kind: "expression" } });
    expect(parseText("† is a sign")).toMatchObject({ ok: false, error: { position: 1 } });
  });

  test("P8: no path reaches a prototype", () => {
    for (const key of ["__proto__", "constructor", "prototype", "toString", "length"]) {
      expect(valueAt({ a: [1] }, [key])).toBeUndefined();
      expect(valueAt({ a: [1] }, ["a", key])).toBeUndefined();
      expect(valueAt("text", [key])).toBeUndefined();
    }
    expect(valueAt(JSON.parse('{"__proto__": {"x": 1}}'), ["__proto__", "x"])).toBe(1);
  });

  test("P4: null, false, 0 and the empty text are present", () => {
    const state = { list: [null, { zero: 0 }], no: false, empty: "" };
    expect(valueAt(state, ["list", 0])).toBeNull();
    expect(valueAt(state, ["list", 1, "zero"])).toBe(0);
    expect(valueAt(state, ["no"])).toBe(false);
    expect(valueAt(state, ["empty"])).toBe("");
    expect(valueAt(state, ["list", 2])).toBeUndefined();
    expect(valueAt(state, ["list", "0"])).toBeUndefined();
    expect(valueAt(state, ["no", "x"])).toBeUndefined();
  });
});
