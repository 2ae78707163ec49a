import type { SessionEvent } from "@/lib/session/event.ts";
import { entriesOf, lengthOf, type TranscriptEntry } from "./entries.ts";

/** The most messages of a transcript: about 700 printed pages. */
export const MOST_MESSAGES = 10_000;
/** The most characters: about 1,500 pages. */
const MOST_TEXT = 5_000_000;

/** The events of a transcript: messages, calls, approvals and takeovers. */
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

/** Reads the events of a conversation, by page and type. */
interface EventLists {
  list(conversationId: string, page: { after: number; limit: number; type?: string }): Promise<SessionEvent[]>;
}

/** The entries of a conversation's transcript, and the number of omitted messages. */
export async function readTranscript(
  events: EventLists,
  conversationId: string,
): Promise<{ entries: TranscriptEntry[]; omitted: number }> {
  // A decision refers to its confirmation; the request has the action.
  const asked = new Map<string, string>();
  const read = (type: string) => newestOf(events, conversationId, type, asked);
  const requests = await read("confirmation.requested");
  const told = await Promise.all(TOLD.map(read));
  const omitted = told[0]?.omitted ?? 0;
  const from = omitted > 0 ? (told[0]?.entries[0]?.seq ?? 0) : 0;
  const entries = [requests, ...told].flatMap((each) => each.entries.filter(({ seq }) => seq >= from));
  return { entries: entries.sort((a, b) => a.seq - b.seq), omitted };
}

/** Only entries are kept of each page: a call's result may be large. */
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
