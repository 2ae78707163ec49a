import type { Events } from "@/db/repositories.ts";
import type { SessionEvent } from "@/lib/session/event.ts";

/** The newest messages that a transcript has: some 700 printed pages. */
export const MOST_MESSAGES = 10_000;

/** What a transcript tells beside messages: what was done, who allowed it, and whose hands the conversation was in. */
const TOLD = [
  "call.succeeded",
  "call.failed",
  "call.denied",
  "confirmation.requested",
  "confirmation.approved",
  "confirmation.denied",
  "manager.alerted",
  "conversation.taken_over",
  "conversation.handed_back",
  "run.failed",
] as const;

const PAGE = 1_000;

/** The events that a conversation's transcript is made of, in order, and how many messages before them it leaves out. */
export async function readTranscript(
  events: Pick<Events, "list">,
  conversationId: string,
): Promise<{ events: SessionEvent[]; omitted: number }> {
  const messages = await newestOf(events, conversationId, "message.created");
  const from = messages.omitted > 0 ? (messages.events[0]?.seq ?? 0) : 0;
  const told = await Promise.all(TOLD.map((type) => newestOf(events, conversationId, type)));
  const all = [...messages.events, ...told.flatMap((each) => each.events.filter(({ seq }) => seq >= from))];
  return { events: all.sort((a, b) => a.seq - b.seq), omitted: messages.omitted };
}

async function newestOf(events: Pick<Events, "list">, conversationId: string, type: string) {
  let kept: SessionEvent[] = [];
  let omitted = 0;
  for (let after = 0; ; ) {
    const page = await events.list(conversationId, { after, limit: PAGE, type });
    kept.push(...page);
    if (kept.length > MOST_MESSAGES + PAGE) {
      omitted += kept.length - MOST_MESSAGES;
      kept = kept.slice(-MOST_MESSAGES);
    }
    after = page.at(-1)?.seq ?? after;
    if (page.length < PAGE) break;
  }
  omitted += Math.max(0, kept.length - MOST_MESSAGES);
  return { events: kept.slice(-MOST_MESSAGES), omitted };
}
