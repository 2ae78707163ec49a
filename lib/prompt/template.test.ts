import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { namesIn, type Placeholder, parseTemplate } from "./template.ts";

/** The placeholders of a template, without positions. */
function placeholders(template: string) {
  return parseTemplate(template).flatMap((part) => (part.kind === "placeholder" ? [part] : []));
}

function only(template: string): Placeholder | undefined {
  const [found, ...more] = placeholders(template);
  expect(more).toEqual([]);
  return found;
}

describe("H1: a placeholder", () => {
  it("is between two pairs of braces, with its position", () => {
    expect(parseTemplate("Hi {{userId}}!")).toEqual([
      { kind: "text", raw: "Hi ", start: 0, end: 3 },
      {
        ...{ kind: "placeholder", name: "userId", path: null, placeholder: "userId", default: null },
        ...{ raw: "{{userId}}", start: 3, end: 13 },
      },
      { kind: "text", raw: "!", start: 13, end: 14 },
    ]);
  });

  it.each([
    ["{{ userId }}", "userId", null],
    ["{{\n\tuserId\u00a0}}", "userId", null],
    ["{{userId|guest}}", "userId", "guest"],
    ["{{ userId | a guest }}", "userId", "a guest"],
    ["{{userId|}}", "userId", ""],
    ["{{userId|a|b|c}}", "userId", "a|b|c"],
    ["{{userId|{not: one}}}", "userId", "{not: one"],
    ["{{userId|$&\n$1}}", "userId", "$&\n$1"],
    ["{{имя}}", "имя", null],
    ["{{a-b_1}}", "a-b_1", null],
  ])("%j asks for %s, by default %j", (template, name, whenMissing) => {
    expect(only(template)).toMatchObject({ name, path: null, default: whenMissing });
  });

  it.each([
    ["{{state.order.id}}", ["order", "id"]],
    ["{{state.items[0].sku}}", ["items", 0, "sku"]],
    ["{{state.items.0}}", ["items", 0]],
    ['{{memory["a key"]}}', ["a key"]],
    ['{{memory["a|b"]|none}}', ["a|b"]],
    ['{{memory["say \\"hi\\""]}}', ['say "hi"']],
    ['{{memory["\\d"][""]}}', ["\\d", ""]],
    ["{{state.__proto__}}", ["__proto__"]],
  ])("%s names a part, by the path of references", (template, path) => {
    const found = only(template);
    expect(found?.path).toEqual(path);
    expect(`{{${found?.placeholder}${found?.default === null ? "" : `|${found?.default}`}}}`).toBe(template);
  });

  it.each([
    ...["", "no braces", "{{}}", "{{ }}", "{{|default}}", "{{user id}}", "{{user.}}", "{{.user}}", "{{state[}}"],
    ...[
      "{{state[-1]}}",
      "{{state[x]}}",
      '{{state["open}}',
      "{{#if x}}",
      "{{> part}}",
      "{{&raw}}",
      "{{userId}",
      "{userId}}",
    ],
    ...["{{userId", "{{userId|never closed", "}}{{", "{{\u200fuserId}}", `{{state${".a".repeat(65)}}}`],
    ...[`{{${" ".repeat(5_000)}userId}}`, "{{userId!}}", '{{state["{{x"]}}', "{{state[99999999999999999999]}}"],
  ])("is not found in %j, which is text", (template) => {
    expect(placeholders(template)).toEqual([]);
  });

  it("is the innermost of nested braces", () => {
    expect(placeholders("{{{{userId}}}}").map(({ raw }) => raw)).toEqual(["{{userId}}"]);
    expect(placeholders("{{{userId}}}").map(({ raw }) => raw)).toEqual(["{{userId}}"]);
    expect(placeholders("{{ {{userId}} }}").map(({ raw }) => raw)).toEqual(["{{userId}}"]);
    expect(placeholders("{{broken {{userId}}").map(({ raw }) => raw)).toEqual(["{{userId}}"]);
  });
});

test("H1: the names of a template are listed once each, without paths", () => {
  expect([...namesIn("{{state.a}} {{state.b|x}} {{userId}} {{state}} {{ no one }}")]).toEqual(["state", "userId"]);
});

test("H1: the parts of a template, joined, are the template, each at its position", () => {
  const piece = fc.oneof(
    fc.constantFrom(...["{{", "}}", "{", "}", "|", ".", "[0]", '["', '"]', '\\"', " ", "\n", "userId", "state", "a"]),
    fc.constantFrom("{{userId}}", "{{state.a|b}}", "{{ messageHistory }}", "\u202e", "😀", "\ud800"),
    fc.string({ unit: "binary", maxLength: 5 }),
  );
  const anyTemplate = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(anyTemplate, (template) => {
      const parts = parseTemplate(template);
      expect(parts.map(({ raw }) => raw).join("")).toBe(template);
      let place = 0;
      for (const { raw, start, end } of parts) {
        expect([start, template.slice(start, end)]).toEqual([place, raw]);
        expect(end).toBeGreaterThan(start);
        place = end;
      }
    }),
    { numRuns: 2_000 },
  );
});

describe("H1: parsing takes linear time", () => {
  // Quadratic parsing of any of these takes minutes, and times out.
  const MILLION = 1_000_000;
  it.each([
    ["placeholders", "{{userId}}", 100_000],
    ["braces that nothing closes", "{{", MILLION],
    ["braces that nothing opens", "}}", MILLION],
    ["defaults that nothing closes", "{{a|", MILLION / 4],
    ["keys that nothing closes", '{{a["', MILLION / 5],
    ["keys that quote others", '{{a["\\"]', MILLION / 8],
    ["paths that lead nowhere", "{{a.b[0].", MILLION / 9],
    ["defaults that hold braces", "{{a|{{ {b} }}", MILLION / 13],
  ])("%s", (_, piece, times) => {
    const template = piece.repeat(times);
    for (const tried of [template, `${template}}}`, `{{${template}`, `{{state["${template}"]}}`]) {
      const parts = parseTemplate(tried);
      expect(parts.reduce((length, { raw }) => length + raw.length, 0)).toBe(tried.length);
    }
  });

  it.each([" ", "a", ".a", "[0]", '["a"]', "\\", '"', "|"])("one name of a million %j", (piece) => {
    const template = `{{a${piece.repeat(MILLION)}}}`;
    const parts = parseTemplate(template);
    expect(parts.map(({ raw }) => raw).join("")).toBe(template);
  });
});
