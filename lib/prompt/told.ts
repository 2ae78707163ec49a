import type { JsonObject } from "../session/json/json.ts";
import type { HistoryReport, Origin, PromptPart } from "./prompt.ts";

/** What a part of a prompt is spent on (H4): what was said, how things stand, or what can be done. */
export type Spending = "history" | "state" | "tools";

const SPENDING: Partial<Record<Origin, Spending>> = {
  history: "history",
  state: "state",
  memory: "state",
  summary: "state",
  warnings: "state",
  tools: "tools",
};

/** What the tokens of a part from this origin are spent on; null where they count as the template's own. */
export function spendingOf(origin: Origin): Spending | null {
  return SPENDING[origin] ?? null;
}

/** A prompt's parts as `prompt.rendered` tells them (H6). */
export function toldParts(parts: readonly PromptPart[]) {
  return parts.map(({ start, end, placeholder, origin, messages }) => ({
    ...{ start, end, placeholder, origin },
    ...(messages && { messages: messages.map((message) => ({ ...message })) }),
  }));
}

/**
 * What became of the history, as `prompt.rendered` tells it (H6). Which messages were cut is told by the event of the
 * cut: there may be thousands. Of a request that goes on from a response it tells what is sent: what was said before is
 * kept by the provider (D7).
 */
export function toldHistory(
  { before, after, left_out: _, shortened: __, ...report }: HistoryReport,
  source: "prompt" | "provider",
  previous_response_id: string | null,
): JsonObject {
  const told: JsonObject = { source, ...report, before: { ...before }, after: { ...after } };
  return previous_response_id === null ? told : { ...told, previous_response_id };
}
