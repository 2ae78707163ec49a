import type { Locale } from "../session/locale.ts";

/** The texts of notifications in a language. */
export interface NoticeWords {
  /** "2 confirmations and 1 alert await you" */
  subject(counts: { confirmation: number; alert: number; mention: number }): string;
  test: string;
  testText: string;
  manager: string;
  mentioned(mention: { names: readonly string[]; by: string | null }): string;
  agent: string;
  conversation: string;
  since: string;
  reminder(number: number): string;
  more(count: number): string;
}

function plural(locale: Locale, count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>>): string {
  return `${count} ${forms[new Intl.PluralRules(locale).select(count)] ?? forms.other}`;
}

const EN: NoticeWords = {
  subject({ confirmation, alert, mention }) {
    const waiting = [
      ...(confirmation > 0 ? [plural("en", confirmation, { one: "confirmation", other: "confirmations" })] : []),
      ...(alert > 0 ? [plural("en", alert, { one: "alert", other: "alerts" })] : []),
      ...(mention > 0 ? [plural("en", mention, { one: "mention", other: "mentions" })] : []),
    ];
    return `${waiting.join(" and ")} ${confirmation + alert + mention === 1 ? "awaits" : "await"} you`;
  },
  test: "Test notification",
  testText: "You receive notifications of Obelus here: pending approvals and open alerts.",
  manager: "A manager was called",
  mentioned: ({ names, by }) =>
    `${names.map((name) => `@${name}`).join(", ")}: a note${by === null ? "" : ` by ${by}`}`,
  agent: "agent",
  conversation: "conversation",
  since: "since",
  reminder: (number) => `reminder ${number}`,
  more: (count) => `and ${count} more`,
};

const RU: NoticeWords = {
  subject({ confirmation, alert, mention }) {
    const waiting = [
      ...(confirmation > 0
        ? [plural("ru", confirmation, { one: "подтверждение", few: "подтверждения", other: "подтверждений" })]
        : []),
      ...(alert > 0 ? [plural("ru", alert, { one: "вызов", few: "вызова", other: "вызовов" })] : []),
      ...(mention > 0 ? [plural("ru", mention, { one: "упоминание", few: "упоминания", other: "упоминаний" })] : []),
    ];
    return `Вас ждут: ${waiting.join(" и ")}`;
  },
  test: "Проверка уведомлений",
  testText: "Сюда приходят уведомления Obelus: подтверждения, которые ждут решения, и открытые вызовы.",
  manager: "Вызывают менеджера",
  mentioned: ({ names, by }) => `${names.map((name) => `@${name}`).join(", ")}: заметка${by === null ? "" : `, ${by}`}`,
  agent: "агент",
  conversation: "диалог",
  since: "с",
  reminder: (number) => `напоминание ${number}`,
  more: (count) => `и ещё ${count}`,
};

export const WORDS: Record<Locale, NoticeWords> = { en: EN, ru: RU };
