import type { JsonObject } from "../session/json/json.ts";
import type { HistoryReport, Origin, PromptPart } from "./prompt.ts";

/** What a part of a prompt counts as in the budget (H4): history, state, or tools. */
export type BudgetPart = "history" | "state" | "tools";

const SPENDING: Partial<Record<Origin, BudgetPart>> = {
  history: "history",
  state: "state",
  memory: "state",
  summary: "state",
  warnings: "state",
  tools: "tools",
};

/** The budget category of a part by its origin; null for the template's own. */
export function budgetPartOf(origin: Origin): BudgetPart | null {
  return SPENDING[origin] ?? null;
}

/** A prompt's parts for `prompt.rendered` (H6). */
export function reportedParts(parts: readonly PromptPart[]) {
  return parts.map(({ start, end, placeholder, origin, messages }) => ({
    ...{ start, end, placeholder, origin },
    ...(messages && { messages: messages.map((message) => ({ ...message })) }),
  }));
}

/**
 * The history for `prompt.rendered` (H6). The messages that were cut are in another event: there may be thousands. A
 * request that continues a response only has what is sent: the provider stores earlier messages (D7).
 */
export function reportedHistory(
  { before, after, left_out: _, shortened: __, ...report }: HistoryReport,
  source: "prompt" | "provider",
  previous_response_id: string | null,
): JsonObject {
  const told: JsonObject = { source, ...report, before: { ...before }, after: { ...after } };
  return previous_response_id === null ? told : { ...told, previous_response_id };
}
