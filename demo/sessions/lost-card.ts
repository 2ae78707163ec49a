import { type ChatConversation, chatEvents } from "../../lib/intake/chat-format.ts";
import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { Locale, Texts } from "../texts.ts";
import { DAY, HOUR } from "./times.ts";

const TEXTS = {
  en: {
    order: '{"order":5512,"ready":"Friday"}',
    secondOrder: '{"member":20817,"branch":"Gràcia"}',
    firstOrder: '{"member":20817,"branch":"Gracia"}',
    price: '{"fee":4,"currency":"EUR"}',
    member: '{"member":20817,"name":"Inés Roca","card":"active","replaced":1}',
    system: "You are the assistant of a public library. Cards are replaced once a year for free.",
    lost: "Hi, I lost my library card. Can I get a new one before Saturday?",
    asksNumber: "I'm sorry to hear that. What is your member number, or the e-mail you joined with?",
    fee: "I've blocked the old card. You had a free replacement this year, so a new one costs 4 €. Shall I order it?",
    yes: "Yes please, to the Gràcia branch.",
    unknown: "Error: unknown branch Gracia",
    done: "Done. Your new card waits at the Gràcia branch from Friday; bring an ID and 4 €.",
    thanks: "Great, thanks!",
  },
  ru: {
    order: '{"order":5512,"ready":"пятница"}',
    secondOrder: '{"member":20817,"branch":"Садовая"}',
    firstOrder: '{"member":20817,"branch":"Садовой"}',
    price: '{"fee":400,"currency":"RUB"}',
    member: '{"member":20817,"name":"Инна Рокотова","card":"active","replaced":1}',
    system: "Ты помощник городской библиотеки. Раз в год билет меняют бесплатно.",
    lost: "Здравствуйте, я потеряла читательский билет. Можно получить новый до субботы?",
    asksNumber: "Очень жаль. Назовите номер билета или почту, с которой вы записывались.",
    fee: "Старый билет заблокирован. Бесплатная замена в этом году уже была, новый стоит 400 ₽. Заказать?",
    yes: "Да, пожалуйста, в филиал на Садовой.",
    unknown: "Error: unknown branch Садовой",
    done: "Готово. Новый билет ждёт вас в филиале на Садовой с пятницы; возьмите паспорт и 400 ₽.",
    thanks: "Отлично, спасибо!",
  },
} satisfies Texts;

/** An imported chat without times, so it is shown by steps. */
export function lostCard(now: Date, locale: Locale): ImportedConversation {
  const recorded_at = new Date(now.getTime() - 2 * DAY - 4 * HOUR).toISOString();
  const { conversation_id, events } = chatEvents(chatIn(locale));
  return { conversation_id, events: events.map((event) => ({ ...event, recorded_at })) };
}

const chatIn = (locale: Locale): ChatConversation => {
  const t = TEXTS[locale];
  return {
    id: "demo-lost-card",
    metadata: { source: "support-export", locale },
    messages: [
      { role: "system", content: t.system },
      { role: "user", content: t.lost },
      {
        role: "assistant",
        content: t.asksNumber,
      },
      { role: "user", content: "ines.roca@example.com" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_find", function: { name: "find_member", arguments: '{"email":"ines.roca@example.com"}' } },
        ],
      },
      {
        role: "tool",
        tool_call_id: "call_find",
        content: t.member,
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_block", function: { name: "block_card", arguments: '{"member":20817}' } },
          { id: "call_fee", function: { name: "replacement_fee", arguments: '{"member":20817}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_block", content: '{"card":"blocked"}' },
      { role: "tool", tool_call_id: "call_fee", content: t.price },
      {
        role: "assistant",
        content: t.fee,
      },
      { role: "user", content: t.yes },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_order", function: { name: "order_card", arguments: t.firstOrder } }],
      },
      { role: "tool", tool_call_id: "call_order", content: t.unknown },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_again", function: { name: "order_card", arguments: t.secondOrder } }],
      },
      { role: "tool", tool_call_id: "call_again", content: t.order },
      { role: "assistant", content: t.done },
      { role: "user", content: t.thanks },
    ],
  };
};
