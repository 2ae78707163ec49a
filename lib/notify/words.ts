import { type Condition, METRIC_TRAITS, type Metric } from "../alert-rules/rule.ts";
import type { Locale } from "../session/locale.ts";

/** The texts of notifications in a language. */
export interface NoticeWords {
  /** "2 confirmations and 1 alert await you" */
  /** `ended`: how many of the rules do not fire any more. */
  subject(counts: { confirmation: number; alert: number; mention: number; rule: number; ended: number }): string;
  test: string;
  testText: string;
  manager: string;
  mentioned(mention: { names: readonly string[]; by: string | null }): string;
  /** "Refunds fail: error rate of payments.refund is 16.4 % (above 5 %) of 128" */
  fires(rule: { name: string; condition: Condition; value: number; count: number }): string;
  /** "Refunds fail: ended after 12 min" */
  ended(name: string, lastedMs: number): string;
  agent: string;
  conversation: string;
  since: string;
  reminder(number: number): string;
  more(count: number): string;
}

function plural(locale: Locale, count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>>): string {
  return `${count} ${forms[new Intl.PluralRules(locale).select(count)] ?? forms.other}`;
}

type Units = Record<"minute" | "day", string>;

const EN_METRICS: Record<Metric, string> = {
  error_rate: "error rate",
  cost: "cost",
  score: "score",
  stuck_run: "a run without events for",
  approval_wait: "an approval waits for",
  error_returned: "an error returned after",
};
const RU_METRICS: Record<Metric, string> = {
  error_rate: "доля ошибок",
  cost: "стоимость",
  score: "оценка",
  stuck_run: "запуск без событий",
  approval_wait: "подтверждение ждёт",
  error_returned: "ошибка вернулась через",
};
const EN_UNITS: Units = { minute: "min", day: "days" };
const RU_UNITS: Units = { minute: "мин", day: "дн." };

function metricOf({ metric, tool, score, agent, version }: Condition, names: Record<Metric, string>): string {
  return [names[metric], score, tool, agent, version].filter((part) => part !== undefined).join(" ");
}

/** A value with its unit. */
function valueWords(locale: Locale, { metric }: Condition, value: number, { minute, day }: Units): string {
  const number = (of: number, digits: number) =>
    new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(of);
  switch (metric) {
    case "error_rate":
      return `${number(value * 100, 1)} %`;
    case "cost":
    case "score":
      return number(value, 2);
    case "stuck_run":
    case "approval_wait":
      return `${number(value, 0)} ${minute}`;
    case "error_returned":
      return `${number(value, 1)} ${day}`;
    default:
      return metric satisfies never;
  }
}

function countOf({ metric }: Condition, text: string): string {
  return METRIC_TRAITS[metric].hasCount ? text : "";
}

/** A duration in hours and minutes. */
function lastedWords(locale: Locale, ms: number, [hour, minute]: readonly [string, string]): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const number = (of: number) => new Intl.NumberFormat(locale).format(of);
  const hours = Math.floor(minutes / 60);
  return [
    ...(hours > 0 ? [`${number(hours)} ${hour}`] : []),
    ...(minutes % 60 > 0 ? [`${minutes % 60} ${minute}`] : []),
  ].join(" ");
}

const EN: NoticeWords = {
  subject({ confirmation, alert, mention, rule, ended }) {
    const firing = [
      ...(rule > ended ? [plural("en", rule - ended, { one: "alert rule fires", other: "alert rules fire" })] : []),
      ...(ended > 0 ? [plural("en", ended, { one: "alert rule has ended", other: "alert rules have ended" })] : []),
    ].join("; ");
    if (confirmation + alert + mention === 0) return firing;
    const waiting = [
      ...(confirmation > 0 ? [plural("en", confirmation, { one: "confirmation", other: "confirmations" })] : []),
      ...(alert > 0 ? [plural("en", alert, { one: "alert", other: "alerts" })] : []),
      ...(mention > 0 ? [plural("en", mention, { one: "mention", other: "mentions" })] : []),
    ];
    const rest = `${waiting.join(" and ")} ${confirmation + alert + mention === 1 ? "awaits" : "await"} you`;
    return firing === "" ? rest : `${firing}; ${rest}`;
  },
  test: "Test notification",
  testText: "You receive notifications of Obelus here: pending approvals and open alerts.",
  manager: "A manager was called",
  mentioned: ({ names, by }) =>
    `${names.map((name) => `@${name}`).join(", ")}: a note${by === null ? "" : ` by ${by}`}`,
  fires: ({ name, condition, value, count }) =>
    `${name}: ${metricOf(condition, EN_METRICS)} ${valueWords("en", condition, value, EN_UNITS)} (${condition.operator} ${valueWords("en", condition, condition.threshold, EN_UNITS)})${countOf(condition, `, of ${count}`)}`,
  ended: (name, lastedMs) => `${name}: ended after ${lastedWords("en", lastedMs, ["h", "min"])}`,
  agent: "agent",
  conversation: "conversation",
  since: "since",
  reminder: (number) => `reminder ${number}`,
  more: (count) => `and ${count} more`,
};

const RU: NoticeWords = {
  subject({ confirmation, alert, mention, rule, ended }) {
    const rules = (count: number) => plural("ru", count, { one: "правило", few: "правила", other: "правил" });
    const firing = [
      ...(rule > ended ? [`Сработало: ${rules(rule - ended)}`] : []),
      ...(ended > 0 ? [`Закончилось: ${rules(ended)}`] : []),
    ].join(". ");
    if (confirmation + alert + mention === 0) return firing;
    const waiting = [
      ...(confirmation > 0
        ? [plural("ru", confirmation, { one: "подтверждение", few: "подтверждения", other: "подтверждений" })]
        : []),
      ...(alert > 0 ? [plural("ru", alert, { one: "вызов", few: "вызова", other: "вызовов" })] : []),
      ...(mention > 0 ? [plural("ru", mention, { one: "упоминание", few: "упоминания", other: "упоминаний" })] : []),
    ];
    const rest = `Вас ждут: ${waiting.join(" и ")}`;
    return firing === "" ? rest : `${firing}. ${rest}`;
  },
  test: "Проверка уведомлений",
  testText: "Сюда приходят уведомления Obelus: подтверждения, которые ждут решения, и открытые вызовы.",
  manager: "Вызывают менеджера",
  mentioned: ({ names, by }) => `${names.map((name) => `@${name}`).join(", ")}: заметка${by === null ? "" : `, ${by}`}`,
  fires: ({ name, condition, value, count }) =>
    `${name}: ${metricOf(condition, RU_METRICS)} ${valueWords("ru", condition, value, RU_UNITS)} (${condition.operator === "above" ? "выше" : "ниже"} ${valueWords("ru", condition, condition.threshold, RU_UNITS)})${countOf(condition, `, всего ${count}`)}`,
  ended: (name, lastedMs) => `${name}: закончилось через ${lastedWords("ru", lastedMs, ["ч", "мин"])}`,
  agent: "агент",
  conversation: "диалог",
  since: "с",
  reminder: (number) => `напоминание ${number}`,
  more: (count) => `и ещё ${count}`,
};

export const WORDS: Record<Locale, NoticeWords> = { en: EN, ru: RU };
