import type { SessionEvent } from "@/lib/session/event.ts";
import { entriesOf, lengthOf, type TranscriptEntry } from "./entries.ts";

/** The newest messages that a transcript has: some 700 printed pages. */
export const MOST_MESSAGES = 10_000;
/** The same in characters: some 1,500 pages. */
const MOST_TEXT = 5_000_000;

/** What a transcript tells: what was said and done, who allowed it, and whose hands the conversation was in. */
const TOLD = [
  "message.created",
  "call.succeeded",
  "call.failed",
  "call.denied",
  "confirmation.approved",
  "confirmation.denied",
  "manager.alerted",
  "conversation.taken_over",
  "conversation.handed_back",
  "run.failed",
] as const;

const PAGE = 1_000;

/** Where the events of a conversation are read from, page by page and by type. */
interface EventLists {
  list(conversationId: string, page: { after: number; limit: number; type?: string }): Promise<SessionEvent[]>;
}

/** What a conversation's transcript tells, in order, and how many messages before them it leaves out. */
export async function readTranscript(
  events: EventLists,
  conversationId: string,
): Promise<{ entries: TranscriptEntry[]; omitted: number }> {
  // A decision names its confirmation; the request alone says what was asked.
  const asked = new Map<string, string>();
  const read = (type: string) => newestOf(events, conversationId, type, asked);
  const requests = await read("confirmation.requested");
  const told = await Promise.all(TOLD.map(read));
  const omitted = told[0]?.omitted ?? 0;
  const from = omitted > 0 ? (told[0]?.entries[0]?.seq ?? 0) : 0;
  const entries = [requests, ...told].flatMap((each) => each.entries.filter(({ seq }) => seq >= from));
  return { entries: entries.sort((a, b) => a.seq - b.seq), omitted };
}

/** Of each page what is told alone is kept: a call's result may be large. */
async function newestOf(
  events: EventLists,
  conversationId: string,
  type: string,
  asked: Map<string, string>,
): Promise<{ entries: TranscriptEntry[]; omitted: number }> {
  const entries: TranscriptEntry[] = [];
  let length = 0;
  let omitted = 0;
  for (let after = 0; ; ) {
    const page = await events.list(conversationId, { after, limit: PAGE, type });
    const last = page.at(-1);
    if (!last) return { entries, omitted };
    after = last.seq;
    for (const entry of entriesOf(page, asked)) {
      entries.push(entry);
      length += lengthOf(entry);
    }
    let gone = 0;
    for (; entries.length - gone > MOST_MESSAGES || length > MOST_TEXT; gone += 1) length -= lengthOf(entries[gone]);
    entries.splice(0, gone);
    omitted += gone;
  }
}
