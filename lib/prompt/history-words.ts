import type { Locale } from "../session/locale.ts";
import type { Role } from "./prompt.ts";

/** What a history says besides its messages. */
export interface HistoryWords {
  /** Instead of a history without messages (H2). */
  empty: string;
  roles: Record<Role, string>;
  /** The line at the top that tells how many messages are not there (H4). */
  leftOut(count: number): string;
}

/** The words in each language. */
export const HISTORY_WORDS: Record<Locale, HistoryWords> = {
  en: {
    empty: "The dialog history is empty",
    roles: { user: "User", assistant: "Assistant", system: "System", tool: "Tool", operator: "Operator" },
    leftOut: (count) => `(Messages left out: ${count})`,
  },
  ru: {
    empty: "История диалога пуста",
    roles: {
      user: "Пользователь",
      assistant: "Ассистент",
      system: "Система",
      tool: "Инструмент",
      operator: "Оператор",
    },
    leftOut: (count) => `(Опущено сообщений: ${count})`,
  },
};
