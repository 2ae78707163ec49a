import { expect, test } from "vitest";
import { isMarkdown, readAtOnce } from "./markdown.ts";

test("C3: agents' usual Markdown is parsed: a long answer with lists, a table, links and code", () => {
  const answer = [
    "## Result\n\nThe deal **1842** waits for *payment*, see [the invoice](https://crm.example/1).\n",
    ...Array.from({ length: 60 }, (_, n) => `- item ${n} with \`code\` and **words**`),
    "\n| a | b | c |\n| - | - | - |",
    ...Array.from({ length: 60 }, (_, n) => `| ${n} | **x** | [y](https://a.example/${n}) |`),
    "\n> said\n\n```ts\nconst a = 1;\n```",
  ].join("\n");
  expect(isMarkdown(answer)).toBe(true);
});

test("C3: of a page the newest texts are parsed at once, as many as take little time", () => {
  const texts = Array.from({ length: 50 }, (_, n) => ({ n, text: "words ".repeat(500) }));
  const never = { n: 50, text: "]".repeat(1_000) };
  const chosen = [...readAtOnce([...texts, never])];
  expect(chosen[0]?.n).toBe(49);
  expect(chosen).toHaveLength(10);
});
