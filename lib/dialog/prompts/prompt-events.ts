import type { ModelRequest } from "../../engine/model.ts";
import type { FilledPrompt, HistorySettings, PromptEvents } from "../../engine/prompt.ts";
import { charactersAllowed } from "../../prompt/limits.ts";
import type { HistoryReport } from "../../prompt/prompt.ts";
import { budgetPartOf, reportedHistory, reportedParts } from "../../prompt/reported.ts";
import { CHARACTERS_PER_TOKEN, charactersOf, estimateTokens, tokensIn } from "../../prompt/tokens.ts";
import type { JsonObject } from "../../session/json/json.ts";

/**
 * The events of a request's prompt (H6). `prompt` is everything before the input: the agent's instructions first, so
 * that the positions of their parts are right, then the engine's own text.
 */
export function promptEvents(request: ModelRequest, filled: FilledPrompt | null): PromptEvents {
  const prompt = request.instructions ?? "";
  const written = { prompt, tokens: estimateTokens(prompt), budget: budgetOf(request, filled) };
  if (!filled) return { rendered: { ...written, replaced: [], missing: [], parts: [] }, truncated: null, missing: [] };
  const { replaced, missing, parts, history: report } = filled.rendered;
  return {
    rendered: {
      ...written,
      replaced,
      missing,
      parts: reportedParts(parts),
      history: reportedHistory(report, filled.history.source, request.previous_response_id),
    },
    truncated: report.truncated ? printCut(report, filled.history) : null,
    missing,
  };
}

/** The estimated token budget of a request (H4). */
function budgetOf(request: ModelRequest, filled: FilledPrompt | null) {
  const { instructions, input, tools, format, previous_response_id } = request;
  const prompt = instructions ?? "";
  const told = { history: 0, state: 0, tools: 0 };
  for (const { origin, start, end } of filled?.rendered.parts ?? []) {
    const spending = budgetPartOf(origin);
    if (spending) told[spending] += charactersOf(prompt.slice(start, end));
  }
  const time = charactersOf(filled?.time ?? "");
  const said = sum((filled?.said ?? []).map(({ content }) => charactersOf(content))) - time;
  const rest = sum(input.map((item) => charactersOf(textOf(item)))) - said - time;
  return {
    system: tokensIn(charactersOf(prompt) + time - told.history - told.state - told.tools),
    state: tokensIn(told.state + rest),
    history: tokensIn(told.history + said),
    tools:
      tokensIn(told.tools) +
      (tools.length === 0 && format === null ? 0 : estimateTokens(JSON.stringify({ tools, format }))),
    // History stored by the provider does not count.
    ...(filled && previous_response_id === null ? leftOf(filled.history, filled.rendered.history) : {}),
  };
}

function textOf(item: JsonObject): string {
  return typeof item.content === "string" ? item.content : JSON.stringify(item);
}

/** The remaining budget of the history; nothing if it is unlimited. */
function leftOf(limits: HistorySettings, { final_tokens }: HistoryReport): { left?: number } {
  const allowed = charactersAllowed(limits);
  if (!Number.isFinite(allowed)) return {};
  return { left: Math.max(0, Math.floor(allowed / CHARACTERS_PER_TOKEN) - final_tokens) };
}

function printCut(
  { before, after, left_out, shortened }: HistoryReport,
  { max_tokens, max_chars, max_messages }: HistorySettings,
): JsonObject {
  const limits = Object.entries({ max_tokens, max_chars, max_messages }).filter(([, limit]) => limit !== null);
  return {
    ...{ before: { ...before }, after: { ...after }, left_out, shortened },
    limits: Object.fromEntries(limits),
  };
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all + size, 0);
}
