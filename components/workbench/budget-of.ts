import type { Budget } from "@/components/prompt/budget-bar.tsx";
import type { Origin, RenderedPrompt } from "@/lib/prompt/prompt.ts";
import { estimateTokens } from "@/lib/prompt/tokens.ts";

/** What is known of the dialog, as the budget counts it. */
const STATE: readonly Origin[] = ["state", "summary", "memory", "warnings"];

/**
 * What a prompt's tokens are spent on (H4). `limit` is that of the history in tokens, null for none; a template that
 * does not name the history has nothing left for it.
 */
export function budgetOf({ prompt, parts, history, tokens }: RenderedPrompt, limit: number | null): Budget {
  const spentOn = (is: (origin: Origin) => boolean) =>
    parts
      .filter(({ origin }) => is(origin))
      .reduce((sum, { start, end }) => sum + estimateTokens(prompt.slice(start, end)), 0);
  const spent = {
    state: spentOn((origin) => STATE.includes(origin)),
    history: spentOn((origin) => origin === "history"),
    tools: spentOn((origin) => origin === "tools"),
  };
  const named = parts.some(({ origin }) => origin === "history");
  return {
    // Each part is rounded up by itself, so that they can be more than the whole.
    system: Math.max(0, tokens - spent.state - spent.history - spent.tools),
    ...spent,
    ...(limit !== null && named && { left: Math.max(0, limit - history.final_tokens) }),
  };
}
