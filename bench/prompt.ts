import { fitHistory, printHistory } from "../lib/prompt/history/history.ts";
import type { HistoryLimits, HistoryMessage, Role } from "../lib/prompt/prompt.ts";
import { count, median, milliseconds, printTable, ratio } from "./table.ts";

const SMALL = 1_000;
const LARGE = 10_000;
const WARM_UP = 5;
const ROUNDS = 21;
const ZONE = "Europe/Moscow";
const ROLES: readonly Role[] = ["user", "assistant", "tool", "assistant", "user", "user"];
const MINUTES_APART = 20;

const LIMITS: Record<string, HistoryLimits> = {
  "cut to 4,000 tokens": { max_tokens: 4_000, max_chars: null, max_messages: null },
  "cut to 32 tokens": { max_tokens: 32, max_chars: null, max_messages: null },
  "cut to 200 messages": { max_tokens: null, max_chars: null, max_messages: 200 },
  "cut by a half": { max_tokens: LARGE * 18, max_chars: null, max_messages: null },
  whole: { max_tokens: null, max_chars: null, max_messages: null },
};

/** Measures formatting and cutting a history, compared with formatting the same messages only. */
export function benchPrompt(): void {
  const small = messagesOf(SMALL);
  const large = messagesOf(LARGE);
  const plain = timeOf(() => formatPlainly(large));
  const rows = Object.entries(LIMITS).map(([name, limits]) => {
    // The same share of each history is kept.
    const fewer = { ...limits, max_tokens: limits.max_tokens && Math.max(32, (limits.max_tokens * SMALL) / LARGE) };
    const short = timeOf(() => printed(small, fewer));
    const long = timeOf(() => printed(large, limits));
    return [name, milliseconds(long), ratio(long / plain), ratio(long / LARGE / (short / SMALL))];
  });
  printTable(
    `A history of ${count(LARGE)} messages in a prompt (under 100 ms; growth: linear is 1.00 ×)`,
    ["history", "time", "to formatting alone", `per message, to ${count(SMALL)} messages`],
    rows,
  );
}

function printed(messages: readonly HistoryMessage[], limits: HistoryLimits): string {
  return printHistory(fitHistory(messages, { limits, timezone: ZONE, locale: "ru" })).text;
}

/** A plain loop over the messages, without dates, limits and indentation. */
function formatPlainly(messages: readonly HistoryMessage[]): string {
  const time = new Intl.DateTimeFormat("ru", { timeZone: ZONE, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return messages
    .map(({ at, role, content }) => `[${time.format(Date.parse(at ?? ""))}] ${role}: ${content}`)
    .join("\n");
}

function timeOf(work: () => string): number {
  const times = Array.from({ length: WARM_UP + ROUNDS }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return median(times.slice(WARM_UP));
}

/** A dialog of many days: mostly short messages, every twentieth a long one, some with emoji and line breaks. */
function messagesOf(size: number): HistoryMessage[] {
  return Array.from({ length: size }, (_, index) => {
    const role = ROLES[index % ROLES.length] ?? "user";
    const long = index % 20 === 0;
    return {
      id: `m${index}`,
      role,
      content: `Сообщение ${index} о сделке 👍🏽\n${"Подробности, и ещё немного слов о ней. ".repeat(long ? 25 : 2)}`,
      name: role === "tool" ? "crm.deal.get" : null,
      at: new Date(Date.UTC(2026, 0, 1, 0, index * MINUTES_APART)).toISOString(),
      important: index % 50 === 0,
      relevant: false,
      call_id: null,
    };
  });
}
