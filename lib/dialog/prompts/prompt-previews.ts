import type { HistoryLimits, HistoryMessage, PromptContext, RenderedPrompt } from "../../prompt/prompt.ts";
import { renderPrompt } from "../../prompt/render.ts";
import { namesIn, parseTemplate } from "../../prompt/template.ts";
import type { Locale } from "../../session/locale.ts";
import { localeOf } from "../locale.ts";
import { gatherMaterial, type MaterialNeeds, type PromptMaterial, type SessionStep } from "./prompt-material.ts";
import type { SessionContext } from "./session-context.ts";

/** The input of a preview. */
export interface PromptPreview {
  template: string;
  limits: HistoryLimits;
  /** Overrides the conversation's values; null is no value, except for language and time. */
  context: { [Name in keyof PromptContext]?: PromptContext[Name] | null | undefined };
  /** Given messages, oldest first, or the session to read them from. */
  from: { messages: readonly HistoryMessage[] } | SessionStep;
}

/** Previews of prompts: nothing is recorded, and no model is called. */
export interface PromptPreviews {
  /** Null: no such conversation. Throws storage's `OutOfRange`, and what `renderPrompt` throws. */
  render(preview: PromptPreview): Promise<RenderedPrompt | null>;
}

interface Needs extends MaterialNeeds {
  /** Epoch ms. */
  now(): number;
}

/**
 * The default language is that of the conversation's agent, as in a turn's prompt (H3); without an agent, that of the
 * newest user message, else the template's.
 */
export function createPromptPreviews(needs: Needs): PromptPreviews {
  return {
    async render({ template, limits, context: given, from }) {
      const material = "messages" in from ? plain(from.messages) : await gatherMaterial(needs, from, namesIn(template));
      if (!material) return null;
      const { messages } = material;
      const now = given.now ?? needs.now();
      const locale = given.locale ?? material.locale ?? usersLocale(messages) ?? localeIn(template) ?? "en";
      // A turn answers in the user's language.
      const spoken = given.locale ?? usersLocale(messages) ?? locale;
      const context = { ...laidOver(material.contextAt(now, spoken), given), now, locale };
      return renderPrompt({ template, limits, messages, context });
    },
  };
}

const NOTHING: SessionContext = { user_id: null, household_id: null, timezone: null };

function plain(messages: readonly HistoryMessage[]): PromptMaterial {
  return { messages, locale: null, contextAt: () => NOTHING };
}

function laidOver(known: SessionContext, given: PromptPreview["context"]): SessionContext {
  const over = <T>(upper: T | undefined, lower: T): T => (upper === undefined ? lower : upper);
  return {
    user_id: over(given.user_id, known.user_id),
    household_id: over(given.household_id, known.household_id),
    timezone: over(given.timezone, known.timezone),
    state: over(given.state, known.state),
    memory: over(given.memory, known.memory),
    state_summary: over(given.state_summary, known.state_summary) ?? undefined,
    configuration: over(given.configuration, known.configuration) ?? undefined,
    warnings: over(given.warnings, known.warnings) ?? undefined,
    tools: over(given.tools, known.tools) ?? undefined,
    state_calls: over(given.state_calls, known.state_calls) ?? undefined,
  };
}

function usersLocale(messages: readonly HistoryMessage[]): Locale | null {
  const newest = messages.findLast(({ role }) => role === "user");
  return newest ? localeOf(newest.content) : null;
}

/** The language of a template's text. */
function localeIn(template: string): Locale | null {
  return localeOf(
    parseTemplate(template)
      .map((part) => (part.kind === "text" ? part.raw : " "))
      .join(""),
  );
}
