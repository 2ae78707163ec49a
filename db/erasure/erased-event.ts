import { eraseEvent, type Renames } from "../../lib/session/erasure/erasure.ts";
import type { SessionEvent } from "../../lib/session/event.ts";
import { searchedTexts } from "../../lib/session/find/searched-texts.ts";
import { type EventRow, toEvent } from "../log/event-row.ts";

/** What stays of an event. The conversation keeps its id until all of it is erased, so that its seqs have no gaps. */
export function erasedEvent(row: EventRow, renames: Renames): SessionEvent {
  return { ...eraseEvent(toEvent(row), renames), conversation_id: row.conversation_id };
}

/** What the search indexes of an event; empty: nothing. */
export function searchedText({ type, payload }: SessionEvent): string {
  return searchedTexts(type, payload)
    .map((one) => one.text)
    .join("\n");
}
