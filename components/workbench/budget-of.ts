import type { Budget } from "@/components/prompt/budget-bar.tsx";
import type { RenderedPrompt } from "@/lib/prompt/prompt.ts";
import { type BudgetPart, budgetPartOf } from "@/lib/prompt/reported.ts";
import { estimateTokens } from "@/lib/prompt/tokens.ts";

/**
 * The tokens of a prompt by use (H4). `limit` is the history's in tokens, null for none; nothing is left for a template
 * without the history.
 */
export function budgetOf({ prompt, parts, history, tokens }: RenderedPrompt, limit: number | null): Budget {
  const spentOn = (spending: BudgetPart) =>
    parts
      .filter(({ origin }) => budgetPartOf(origin) === spending)
      .reduce((sum, { start, end }) => sum + estimateTokens(prompt.slice(start, end)), 0);
  const spent = {
    state: spentOn("state"),
    history: spentOn("history"),
    tools: spentOn("tools"),
  };
  const named = parts.some(({ origin }) => origin === "history");
  return {
    // Each part is rounded up, so the sum can exceed the total.
    system: Math.max(0, tokens - spent.state - spent.history - spent.tools),
    ...spent,
    ...(limit !== null && named && { left: Math.max(0, limit - history.final_tokens) }),
  };
}
