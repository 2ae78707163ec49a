import { type ChatConversation, chatEvents } from "../../lib/intake/chat-format.ts";
import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import { DAY, HOUR } from "./times.ts";

/** An imported chat: nobody told its times, so it is looked at step by step. */
export function lostCard(now: Date): ImportedConversation {
  const recorded_at = new Date(now.getTime() - 2 * DAY - 4 * HOUR).toISOString();
  const { conversation_id, events } = chatEvents(chat);
  return { conversation_id, events: events.map((event) => ({ ...event, recorded_at })) };
}

const chat: ChatConversation = {
  id: "demo-lost-card",
  metadata: { source: "support-export", locale: "en" },
  messages: [
    { role: "system", content: "You are the assistant of a public library. Cards are replaced once a year for free." },
    { role: "user", content: "Hi, I lost my library card. Can I get a new one before Saturday?" },
    {
      role: "assistant",
      content: "I'm sorry to hear that. What is your member number, or the e-mail you joined with?",
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
      content: '{"member":20817,"name":"Inés Roca","card":"active","replaced":1}',
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
    { role: "tool", tool_call_id: "call_fee", content: '{"fee":4,"currency":"EUR"}' },
    {
      role: "assistant",
      content:
        "I've blocked the old card. You had a free replacement this year, so a new one costs 4 €. Shall I order it?",
    },
    { role: "user", content: "Yes please, to the Gràcia branch." },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "call_order", function: { name: "order_card", arguments: '{"member":20817,"branch":"Gracia"}' } },
      ],
    },
    { role: "tool", tool_call_id: "call_order", content: "Error: unknown branch Gracia" },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "call_again", function: { name: "order_card", arguments: '{"member":20817,"branch":"Gràcia"}' } },
      ],
    },
    { role: "tool", tool_call_id: "call_again", content: '{"order":5512,"ready":"Friday"}' },
    { role: "assistant", content: "Done. Your new card waits at the Gràcia branch from Friday; bring an ID and 4 €." },
    { role: "user", content: "Great, thanks!" },
  ],
};
