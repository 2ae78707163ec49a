import type { HistoryMessage } from "../../lib/prompt/prompt.ts";
import { renderPrompt } from "../../lib/prompt/render.ts";
import { reportedHistory, reportedParts } from "../../lib/prompt/reported.ts";
import type { Payload } from "../../lib/session/events/catalogue.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import type { About } from "./turn.ts";

const WORDS = {
  ru: {
    zone: "Europe/Moscow",
    now: "Сейчас: {{currentTime}} ({{timezone}}).",
    user: "Пользователь: {{userId}}.",
    history: "История диалога:\n{{messageHistory}}",
  },
  en: {
    zone: "Europe/London",
    now: "Now: {{currentTime}} ({{timezone}}).",
    user: "User: {{userId}}.",
    history: "History:\n{{messageHistory}}",
  },
} as const;

/** The agents' default settings. */
const LIMITS = { max_tokens: 4_000, max_chars: null, max_messages: 200 };

/** The prompt of a request at a time, epoch ms, as recorded (H1–H6). */
export function writePrompt(
  { locale, instruction, user }: About,
  messages: readonly HistoryMessage[],
  now: number,
): Payload<"prompt.rendered"> & JsonObject {
  const words = WORDS[locale];
  const template = [instruction, user === null ? words.now : `${words.now} ${words.user}`, words.history].join("\n\n");
  const context = { user_id: user, household_id: null, timezone: words.zone, now, locale };
  const rendered = renderPrompt({ template, messages, context, limits: LIMITS });
  const { prompt, replaced, missing, tokens, parts } = rendered;
  const history = rendered.history.final_tokens;
  return {
    ...{ prompt, replaced, missing, tokens },
    parts: reportedParts(parts),
    history: reportedHistory(rendered.history, "prompt", null),
    budget: {
      ...{ system: tokens - history, state: 0, history, tools: 0 },
      left: LIMITS.max_tokens - history,
    },
  };
}
