import type { Locale } from "../../session/locale.ts";
import type { Role } from "../prompt.ts";

/** The texts of a history besides its messages. */
export interface HistoryWords {
  /** For a history without messages (H2). */
  empty: string;
  roles: Record<Role, string>;
  /** The first line, with the number of messages left out (H4). */
  leftOut(count: number): string;
}

/** The texts by language. */
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
