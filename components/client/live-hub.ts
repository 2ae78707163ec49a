import type { SessionEvent } from "@/lib/session/event.ts";
import { type DraftPiece, Drafts } from "./drafts.ts";
import { type Connection, openStream } from "./live-stream.ts";

/**
 * What a page subscribes to: nothing while hidden, else some conversations or all (`null`), and of which of them
 * drafts. Subscriptions are numbered and acknowledged.
 */
export interface Watch {
  version: number;
  present: boolean;
  conversations: string[] | null;
  drafts: string[];
}

/** Messages from the hub to a page. `version` is the newest subscription in effect: from then on no event is missed. */
export type HubMessage =
  | { kind: "events"; events: SessionEvent[] }
  | { kind: "draft"; piece: DraftPiece }
  | { kind: "waiting"; count: number }
  | { kind: "connection"; connection: Connection; version: number };

/** A page's port to the hub. */
export interface Member {
  watch(wish: Watch): void;
}

/** How long the stream is kept without pages, ms: a page that navigates within the console is back within this time. */
const LINGER = 3_000;

/** Shares one stream among pages; it is open while there is a page, and `linger` ms longer. */
export function createHub(url: string, linger = LINGER): { join(tell: (message: HubMessage) => void): Member } {
  const members = new Map<(message: HubMessage) => void, Watch>();
  /** For pages that open while an answer is streamed. */
  const drafts = new Drafts();
  let connection: Connection = "connecting";
  let waiting = 0;
  let stream: { close(): void } | null = null;
  let lingering: ReturnType<typeof setTimeout> | undefined;

  const onWaiting = (count: number) => {
    if (count === waiting) return;
    waiting = count;
    for (const [tell, { present }] of members) if (present) tell({ kind: "waiting", count });
  };
  const onConnection = (next: Connection) => {
    connection = next;
    if (connection !== "live") {
      drafts.clear();
      onWaiting(0);
    }
    for (const [tell, { version }] of members) tell({ kind: "connection", connection, version });
  };
  const onDraft = (piece: DraftPiece) => {
    if (!drafts.take(piece)) return;
    for (const [tell, { present, drafts: wanted }] of members)
      if (present && wanted.includes(piece.conversation_id)) tell({ kind: "draft", piece });
  };
  const tellDrafts = (tell: (message: HubMessage) => void, { present, drafts: wanted }: Watch) => {
    if (!present) return;
    for (const { until, ...draft } of drafts.list())
      if (until === null && wanted.includes(draft.conversation_id))
        tell({ kind: "draft", piece: { ...draft, offset: 0 } });
  };
  const onEvents = (events: SessionEvent[]) => {
    drafts.hear(events);
    for (const [tell, { present, conversations }] of members) {
      if (!present) continue;
      const wanted =
        conversations === null
          ? events
          : events.filter((event) => event.conversation_id !== null && conversations.includes(event.conversation_id));
      if (wanted.length > 0) tell({ kind: "events", events: wanted });
    }
  };
  const close = () => {
    stream?.close();
    stream = null;
    connection = "connecting";
    drafts.clear();
  };
  const settle = () => {
    clearTimeout(lingering);
    if (![...members.values()].some(({ present }) => present)) lingering = setTimeout(close, linger);
    else stream ??= openStream({ url, onEvents, onDraft, onConnection, onWaiting });
  };

  return {
    join: (tell) => ({
      watch(wish) {
        members.set(tell, wish);
        settle();
        tell({ kind: "connection", connection, version: wish.version });
        if (wish.present && waiting > 0) tell({ kind: "waiting", count: waiting });
        tellDrafts(tell, wish);
      },
    }),
  };
}
