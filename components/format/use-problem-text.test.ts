import { globSync, readFileSync } from "node:fs";
import { createTranslator } from "next-intl";
import { parseSync, Visitor } from "oxc-parser";
import { describe, expect, test } from "vitest";
import { messagesOf } from "@/components/i18n/messages.ts";
import { check, tool } from "@/lib/plan/testing/check-plan.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { formatText } from "./use-problem-text.ts";

const plan: JsonObject[] = [
  { _tool: "pay", _id: "pay", amount: "a lot", to: "†state.customer" },
  { _tool: "nothing", _id: "other" },
];
const { problems } = check(plan, { tools: [tool("pay", { amount: { type: ["number", "null"] }, to: {} })] });

describe("P16: problems in the reader's language", () => {
  test("in English as the API words them", () => {
    const t = createTranslator({ locale: "en", messages: messagesOf("en"), namespace: "problems" });
    expect(problems.map((problem) => formatText(problem, t))).toEqual(problems.map(({ message }) => message));
  });

  test("in Russian, down to the parts of a sentence", () => {
    const t = createTranslator({ locale: "ru", messages: messagesOf("ru"), namespace: "problems" });
    expect(problems.map((problem) => formatText(problem, t))).toEqual([
      "Параметр to вызова pay читает †state.customer — этого значения никогда не будет: †state.customer не пишет ни один вызов, и в начальном состоянии его нет; пусть его запишет вызов, или задайте его в начальном состоянии",
      "Параметр amount вызова pay: требуется число или null",
      "Нет инструмента nothing; укажите существующий или добавьте его определение в tools",
    ]);
  });

  test("a text without a known id as it was recorded", () => {
    const t = createTranslator({ locale: "ru", messages: messagesOf("ru"), namespace: "problems" });
    expect(formatText({ message: "Their own words" }, t)).toBe("Their own words");
    expect(formatText({ message: "Their own words", message_id: "their_own" }, t)).toBe("Their own words");
  });
});

/** The English texts in the code, by message id, with `{0}`, `{1}` … for values. */
function textsInCode(): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const file of globSync("lib/{plan,engine}/**/*.ts", { exclude: ["**/*.test.ts"] })) {
    const visitor = new Visitor({
      TaggedTemplateExpression({ tag, quasi }) {
        if (tag.type !== "CallExpression" || tag.callee.type !== "Identifier" || tag.callee.name !== "localized")
          return;
        const [id] = tag.arguments;
        if (id?.type !== "Literal") throw new Error(`A message id that is not a literal in ${file}`);
        texts[String(id.value)] = quasi.quasis
          .map(({ value: { cooked } }, index) => (index === 0 ? "" : `{${index - 1}}`) + cooked)
          .join("");
      },
    });
    visitor.visit(parseSync(file, readFileSync(file, "utf8")).program);
  }
  return texts;
}

test("messages/en/problems.json has the texts of the code", () => {
  expect(messagesOf("en").problems).toEqual(textsInCode());
});
