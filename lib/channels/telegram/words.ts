import type { Locale } from "../../session/locale.ts";

/** The channel's own texts. */
export const WORDS: Record<Locale, { textOnly: string }> = {
  en: { textOnly: "Sorry, I can only read text. Please write to me in words what this is about." },
  ru: { textOnly: "Извините, я понимаю только текст. Напишите, пожалуйста, словами, о чём речь." },
};

/** An alert for the managers' chat. */
export function alertText(text: string, { title, conversationId }: { title: string | null; conversationId: string }) {
  return `⚠️ ${title === null ? "" : `${title}\n`}${conversationId}\n\n${text}`;
}
