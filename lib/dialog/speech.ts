import type { Speech } from "../engine/turn.ts";
import type { Locale } from "../session/locale.ts";

/** Messages to users that need no model. */
export const speech: Speech = {
  waiting: (descriptions, locale) => `${WORDS[locale].waiting}\n\n${list(descriptions)}`,
  planned: (descriptions, locale) => `${WORDS[locale].planned}\n\n${list(descriptions)}`,
  failed: ({ code, message }, locale) => `${WORDS[locale].failed} ${FAILURES[locale].get(code) ?? `${message}.`}`,
  silent: (locale) => WORDS[locale].silent,
  cancelled: (locale) => WORDS[locale].cancelled,
  escalated: (locale) => WORDS[locale].escalated,
};

const WORDS: Record<Locale, Record<"waiting" | "planned" | "failed" | "silent" | "cancelled" | "escalated", string>> = {
  en: {
    waiting: "This is waiting for approval:",
    planned: "I have planned this but carried nothing out, because I am in planning mode:",
    failed: "I could not finish this.",
    silent: "I could not find an answer. Please rephrase your question.",
    cancelled: "I was stopped before I could answer.",
    escalated: "I have called a manager, who will write to you here. Thank you for your patience.",
  },
  ru: {
    waiting: "Жду подтверждения от человека:",
    planned: "Я только составил план и ничего не выполнил, потому что сейчас работаю в режиме планирования:",
    failed: "Не получилось довести это до конца.",
    silent: "Ответа у меня не нашлось. Скажите, пожалуйста, другими словами.",
    cancelled: "Меня остановили, прежде чем я смог ответить.",
    escalated: "Я позвал менеджера, он напишет вам сюда. Спасибо за терпение.",
  },
};

/**
 * Messages for failures by code. The exact reason, with addresses and settings, is in the log for the operator; where
 * only an operator can help, users get the reason itself.
 */
const FAILURES: Record<Locale, ReadonlyMap<string, string>> = {
  en: new Map([
    ["model_failed", "The language model did not answer as it should. Please try again a little later."],
    ["no_model", "No language model is connected here."],
    ["iteration_limit", "This needed more steps than I am allowed. Please ask for less at a time."],
    ["budget_spent", "This exceeded my budget. Please ask for less at a time."],
    ["daily_limit", "I have reached my limit for today. Please write again tomorrow; the managers have been informed."],
    ["dialog_failed", "This conversation is not fully configured. Please try later, or write “stop”."],
  ]),
  ru: new Map([
    ["model_failed", "Языковая модель не ответила как следует. Попробуйте, пожалуйста, чуть позже."],
    ["no_model", "Языковая модель здесь не подключена."],
    ["iteration_limit", "Понадобилось больше шагов, чем мне разрешено. Попросите, пожалуйста, о меньшем за один раз."],
    ["budget_spent", "Понадобилось больше, чем мне разрешено потратить. Попросите, пожалуйста, о меньшем за один раз."],
    ["daily_limit", "На сегодня я сделал всё, что мне разрешено. Напишите, пожалуйста, завтра; менеджеры уже знают."],
    ["dialog_failed", "Этот разговор настроен не до конца. Попробуйте, пожалуйста, позже или напишите «стоп»."],
  ]),
};

const APOLOGY: Record<Locale, string> = {
  en: "I am sorry, I could not prepare the demonstration. Please say once more in a few words what your business does, or write “stop”.",
  ru: "Извините, не получилось подготовить демонстрацию. Напишите, пожалуйста, ещё раз в двух словах, чем занимается ваш бизнес, или «стоп».",
};

/** The message when the demonstration could not be set up (D4). */
export function apology(locale: Locale): string {
  return APOLOGY[locale];
}

function list(descriptions: readonly string[]): string {
  return descriptions.map((description) => `- ${description}`).join("\n");
}
