import { UnusablePrompt } from "../../engine/errors.ts";
import type { FilledPrompt, Prompts, PromptTemplate, RequestPlace } from "../../engine/prompt.ts";
import type { TextMessage } from "../../plan/message.ts";
import { fitHistory } from "../../prompt/history/history.ts";
import { HISTORY_WORDS } from "../../prompt/history/history-words.ts";
import type { HistoryMessage, RenderedPrompt, Role } from "../../prompt/prompt.ts";
import { PromptTooLong, type RenderRequest, renderPrompt } from "../../prompt/render.ts";
import { parseTemplate } from "../../prompt/template.ts";
import { timeLine } from "../../prompt/time-line.ts";
import { promptEvents } from "./prompt-events.ts";

/** A logger for prompts; compatible with Pino. */
export interface PromptLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Creates the prompts of agents. With `debug` they are logged in full (H6). */
export function createPrompts({ logger, debug }: { logger: PromptLogger; debug: boolean }): Prompts {
  return {
    fill: fillPrompt,
    tell(request, filled, place) {
      const events = promptEvents(request, filled);
      const { prompt, tokens } = events.rendered;
      logPrompt(logger, filled, place, { tokens, ...(debug && { prompt }) });
      return events;
    },
  };
}

/**
 * Renders an agent's instructions (H1). The history is either in the input, or in the prompt except for the message to
 * answer (H4). State and memory are left out of the input where the instructions include them (H5).
 */
function fillPrompt({ instructions, messages, history, context }: PromptTemplate): FilledPrompt {
  const isInPrompt = history.source === "prompt";
  const told = toldIn(instructions);
  const rendered = renderForTurn({
    template: instructions,
    messages: isInPrompt ? messages.slice(0, -1) : [],
    context,
    limits: history,
  });
  const { timezone, locale, state_calls } = context;
  const time = timeLine(context.now, timezone, locale);
  if (isInPrompt) return { rendered, ...withTime(messages.slice(-1).flatMap(itemOf), time), told, history };
  // Messages that no speaker has take nothing of the budget.
  const spoken = messages.filter(({ role }) => SPEAKERS[role] !== null);
  const fitted = fitHistory(spoken, { limits: history, timezone, locale, state_calls });
  const said = fitted.messages.flatMap(({ message, content }) => itemOf({ role: message.role, content }));
  const count = fitted.left_out.length;
  const leftOut = count === 0 ? [] : itemOf({ role: "system", content: HISTORY_WORDS[locale].leftOut(count) });
  const { report } = fitted;
  return { rendered: { ...rendered, history: report }, ...withTime([...leftOut, ...said], time), told, history };
}

/** The messages, with the time before the user's message to answer (D8). */
function withTime(said: readonly TextMessage[], time: string): Pick<FilledPrompt, "said" | "time"> {
  const newest = said.at(-1);
  if (newest?.role !== "user") return { said: [...said], time: "" };
  return { said: [...said.slice(0, -1), { ...newest, content: `${time}${newest.content}` }], time };
}

/** A turn keeps its agent's definition, so a retry would not help. */
function renderForTurn(request: RenderRequest): RenderedPrompt {
  try {
    return renderPrompt(request);
  } catch (error) {
    if (!(error instanceof PromptTooLong)) throw error;
    const remedy = `${error.message}, in the agent's instructions; then send a new message`;
    throw new UnusablePrompt(error.code, remedy, { cause: error });
  }
}

/** The speaker for the model: a manager speaks in the agent's place. Tools are only in prompts. */
const SPEAKERS: Record<Role, TextMessage["role"] | null> = {
  user: "user",
  assistant: "assistant",
  operator: "assistant",
  system: "system",
  tool: null,
};

function itemOf({ role, content }: Pick<HistoryMessage, "role" | "content">): TextMessage[] {
  const speaker = SPEAKERS[role];
  return speaker === null ? [] : [{ role: speaker, content }];
}

/** The kinds of data of placeholders. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ["state", "state"],
  ["memory", "memory"],
  ["stateSummary", "memory"],
]);

/** The kinds of data that the instructions include, in full or in part. */
function toldIn(instructions: string): string[] {
  const kinds = parseTemplate(instructions).flatMap((part) => {
    const kind = part.kind === "placeholder" ? KINDS.get(part.name) : undefined;
    return kind === undefined ? [] : [kind];
  });
  return [...new Set(kinds)];
}

/** Logs a prompt, its missing data, and what was cut from its history (H6). */
function logPrompt(
  logger: PromptLogger,
  filled: FilledPrompt | null,
  place: RequestPlace,
  written: { tokens?: number; prompt?: string },
): void {
  const write = filled || written.prompt !== undefined ? "info" : "debug";
  const { history, warnings = [] } = filled?.rendered ?? {};
  const messages = history && { messages: history.total, shown: history.shown };
  logger[write]({ ...place, ...messages, ...written }, "Prompt rendered");
  for (const { code, placeholder, detail } of warnings) logger.warn({ ...place, code, placeholder }, detail);
  if (!history?.truncated) return;
  const { before, after, left_out, shortened } = history;
  const cut = { left_out: left_out.length, shortened: shortened.length };
  logger.info({ ...place, before, after, ...cut }, "History truncated to its limit");
}
