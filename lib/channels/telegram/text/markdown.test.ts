import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { fromAgentMarkdown } from "./markdown.ts";

const as = (markdown: string) => fromAgentMarkdown(markdown, (words) => words);
/** The text with its entities written out, so that tests are readable. */
const shown = (markdown: string) => {
  const { text, entities } = as(markdown);
  return [text, ...entities.map(({ type, offset, length }) => `${type}: ${text.slice(offset, offset + length)}`)];
};

describe("D10: an agent's Markdown is converted for Telegram", () => {
  test.each([
    ["Сумма: **150 000 ₽**, была *85 000*.", ["Сумма: 150 000 ₽, была 85 000.", "bold: 150 000 ₽", "italic: 85 000"]],
    ["***both*** ~~gone~~", ["both gone", "italic: both", "bold: both", "strikethrough: gone"]],
    ["Run `npm start` 😀 `x`", ["Run npm start 😀 x", "code: npm start", "code: x"]],
    ["```ts\nconst a = '*b*';\n```", ["const a = '*b*';", "pre: const a = '*b*';"]],
    ["# Title\n\nText", ["Title\n\nText", "bold: Title"]],
    ["- a\n- **b**\n  - c\n\n1. x\n2. y", ["• a\n• b\n  • c\n\n1. x\n2. y", "bold: b"]],
    ["- [ ] open\n- [x] done", ["☐ open\n☑ done"]],
    ["> quoted\n> on", ["quoted\non", "blockquote: quoted\non"]],
    ["> a\n>> b", ["a\nb", "blockquote: a\nb"]],
    ["one\ntwo  \nthree", ["one\ntwo\nthree"]],
    ["a\n\n---\n\nb", ["a\n\n———\n\nb"]],
    ["| a | b |\n|---|---|\n| 10 | **x** |", ["a  │ b\n───┼──\n10 │ x", "pre: a  │ b\n───┼──\n10 │ x"]],
  ])("%s", (markdown, expected) => expect(shown(markdown)).toEqual(expected));

  it("links what Telegram opens, and shows other addresses", () => {
    expect(as("[deal](https://crm.example.org/1)").entities).toEqual([
      { type: "text_link", url: "https://crm.example.org/1", offset: 0, length: 4 },
    ]);
    expect(as("[deal](/crm/1) and [mail](mailto:a@b.c) a@b.c")).toEqual({
      text: "deal (/crm/1) and mail (mailto:a@b.c) a@b.c",
      entities: [],
    });
    expect(as("[bad](javascript:alert(1))").entities).toEqual([]);
  });

  test.each(["5 * 3 * 2 = 30", "snake_case_name", "a < b && c > d", "<b>not bold</b>", "**open", "C:\\dir", "1) one"])(
    "what only looks like markup stays: %s",
    (text) => expect(as(text).text.replace("1. ", "1) ")).toBe(text),
  );

  it("transforms words, but neither code nor addresses", () => {
    const { text } = fromAgentMarkdown("at `at` [at](https://at.example) https://at.example/at", (words) =>
      words.replaceAll("at", "AT"),
    );
    expect(text).toBe("AT at AT https://at.example/at");
  });

  test.each([
    ["quotations within each other", ">".repeat(20_000)],
    ["lists within each other", `${"- ".repeat(20_000)}x`],
    ["a table", `${"|a".repeat(2_000)}\n${"|-".repeat(2_000)}`],
    ["emphasis", `${"*a **b ".repeat(5_000)}${"b** c* ".repeat(5_000)}`],
  ])("D10: what would take long to read stays plain: %s", (_, text) =>
    expect(as(text)).toEqual({ text, entities: [] }),
  );

  it("D10: a table with many columns does not become many messages", () => {
    const row = (cell: string) => `${`|${cell}`.repeat(45)}\n`;
    const table = `${row("a".repeat(100))}${row("-")}${row("b").repeat(30)}`;
    expect(as(table).text.length).toBeLessThan(2 * table.length);
  });

  test("D10: entities are within the text and not empty, for any Markdown", () => {
    const piece = fc.constantFrom(
      "**",
      "_",
      "`",
      "```\n",
      "\n\n",
      "- ",
      "> ",
      "[a](",
      ")",
      "|",
      "x",
      "😀",
      "<b>",
      "# ",
      "1. ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { text, entities } = as(pieces.join(""));
        for (const { offset, length } of entities) {
          expect(length).toBeGreaterThan(0);
          expect(offset + length).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});
