import type { Speech } from "../engine/turn.ts";
import type { Locale } from "../session/locale.ts";

/** What an agent tells its user without a model. */
export const speech: Speech = {
  waiting: (descriptions, locale) => `${WORDS[locale].waiting}\n\n${list(descriptions)}`,
  planned: (descriptions, locale) => `${WORDS[locale].planned}\n\n${list(descriptions)}`,
  failed: (reason, locale) => `${WORDS[locale].failed} ${reason}.`,
  cancelled: (locale) => WORDS[locale].cancelled,
  escalated: (locale) => WORDS[locale].escalated,
};

const WORDS: Record<Locale, Record<"waiting" | "planned" | "failed" | "cancelled" | "escalated", string>> = {
  en: {
    waiting: "I am waiting for a person to confirm this:",
    planned: "I have planned this; nothing has been carried out, because I only plan at present:",
    failed: "I could not finish this.",
    cancelled: "I was stopped before I could answer.",
    escalated: "I have called a manager, who will write to you here. Thank you for your patience.",
  },
  ru: {
    waiting: "Жду подтверждения от человека:",
    planned: "Я только составил план и ничего не выполнил, потому что сейчас работаю в режиме планирования:",
    failed: "Не получилось довести это до конца.",
    cancelled: "Меня остановили, прежде чем я смог ответить.",
    escalated: "Я позвал менеджера, он напишет вам сюда. Спасибо за терпение.",
  },
};

const APOLOGY: Record<Locale, string> = {
  en: "I am sorry, I could not prepare the demonstration. Please say once more in a few words what your business does, or write “stop”.",
  ru: "Извините, не получилось подготовить демонстрацию. Напишите, пожалуйста, ещё раз в двух словах, чем занимается ваш бизнес, или «стоп».",
};

/** What the user is told when the demonstration could not be set up (D4). */
export function apology(locale: Locale): string {
  return APOLOGY[locale];
}

function list(descriptions: readonly string[]): string {
  return descriptions.map((description) => `- ${description}`).join("\n");
}
