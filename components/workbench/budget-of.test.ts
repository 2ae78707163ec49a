import { expect, it } from "vitest";
import type { HistoryMessage } from "@/lib/prompt/prompt.ts";
import { renderPrompt } from "@/lib/prompt/render.ts";
import { budgetOf } from "./budget-of.ts";

const context = { user_id: null, household_id: null, timezone: "UTC", now: 0, locale: "en" } as const;
const limits = { max_tokens: 100, max_chars: null, max_messages: null };
const said: HistoryMessage = {
  id: "m",
  role: "user",
  content: "What of deal 7?",
  name: null,
  at: null,
  important: false,
  relevant: false,
  call_id: null,
};

function render(template: string) {
  return renderPrompt({ template, messages: [said], context: { ...context, state: { deal: 7 } }, limits });
}

it("H4: the token budget of a prompt by use, and what is left for the history", () => {
  // "[--:--] User: What of deal 7?" has 29 characters, the state 10, the template's own text 8.
  const prompt = render("You are {{messageHistory}}{{state}}");
  expect(budgetOf(prompt, 100)).toEqual({ system: 1, state: 3, history: 8, tools: 0, left: 92 });
  expect(budgetOf(prompt, null)).not.toHaveProperty("left");
  expect(budgetOf(render("You are {{state}}"), 100)).toEqual({ system: 2, state: 3, history: 0, tools: 0 });
});
