import type { SessionEvent } from "@/lib/session/event.ts";
import { type Draft, Drafts } from "./drafts.ts";
import type { HubMessage, Member } from "./live-hub.ts";
import type { Connection } from "./live-stream.ts";

export type { Connection } from "./live-stream.ts";

interface Listener {
  /** Left out by listeners that only need the connection's state. */
  onEvents?: (events: SessionEvent[]) => void;
  /**
   * The state of the connection, first and on each change. After `live` no event is missed; the listener fetches what
   * came before.
   */
  onConnection?: (connection: Connection) => void;
  /** Called when the draft of an answer has grown or ended; `draftOf` returns it. */
  onDraft?: () => void;
  /** The number of incomplete traces; called on each change, and first if there are any. */
  onWaiting?: (count: number) => void;
}

interface Subscription extends Listener {
  conversationId: string | null;
  /** The subscription from which on the hub delivers to it. */
  version: number;
  told: Connection | null;
}

const subscriptions = new Set<Subscription>();
const drafts = new Drafts();
let member: Member | null = null;
let version = 0;
let away = false;

function receive(message: HubMessage): void {
  if (message.kind === "draft") {
    const { piece } = message;
    if (drafts.take(piece)) tellOfDrafts((conversationId) => conversationId === piece.conversation_id);
    return;
  }
  if (message.kind === "waiting") {
    for (const { onWaiting } of subscriptions) onWaiting?.(message.count);
    return;
  }
  if (message.kind === "events") {
    if (drafts.hear(message.events)) tellOfDrafts(() => true);
    for (const { conversationId, onEvents } of subscriptions) {
      if (!onEvents) continue;
      const wanted =
        conversationId === null
          ? message.events
          : message.events.filter((event) => event.conversation_id === conversationId);
      if (wanted.length > 0) onEvents(wanted);
    }
    return;
  }
  if (message.connection !== "live" && drafts.clear()) tellOfDrafts(() => true);
  for (const subscription of subscriptions) {
    if (subscription.version > message.version || subscription.told === message.connection) continue;
    subscription.told = message.connection;
    subscription.onConnection?.(message.connection);
  }
}

function tellOfDrafts(concerns: (conversationId: string | null) => boolean): void {
  for (const { conversationId, onDraft } of subscriptions) if (concerns(conversationId)) onDraft?.();
}

/** Sends this page's subscription. */
function watch(): void {
  member ??= joinHub();
  const wanted = [...subscriptions].filter(({ onEvents }) => onEvents).map(({ conversationId }) => conversationId);
  const named = [...new Set(wanted)].filter((id) => id !== null);
  const drafted = [...subscriptions].filter(({ onDraft }) => onDraft).map(({ conversationId }) => conversationId);
  member.watch({
    version,
    present: !away && subscriptions.size > 0,
    conversations: wanted.includes(null) ? null : named,
    drafts: drafted.filter((id) => id !== null),
  });
}

/** Connects to the shared hub of all tabs; to one in this page where shared workers are missing or fail to load. */
function joinHub(): Member {
  addEventListener("pagehide", leave);
  addEventListener("pageshow", comeBack);
  if (!("SharedWorker" in globalThis)) return joinOwnHub();
  const worker = new SharedWorker(new URL("./live-worker.ts", import.meta.url), {
    type: "module",
    name: "obelus-live",
  });
  worker.port.onmessage = (message: MessageEvent<HubMessage>) => receive(message.data);
  worker.onerror = () => {
    member = joinOwnHub();
    watch();
  };
  return { watch: (wish) => worker.port.postMessage(wish) };
}

/** A hub in this page. It is rarely needed, so it is loaded on demand. */
function joinOwnHub(): Member {
  const joined = import("./live-hub.ts").then(({ createHub }) =>
    createHub("/api/stream?drafts=true&traces=true").join(receive),
  );
  return { watch: (wish) => void joined.then((own) => own.watch(wish)) };
}

function leave(): void {
  away = true;
  watch();
}

/** A page restored from the back/forward cache has missed events: all listeners get the connection's state again. */
function comeBack({ persisted }: PageTransitionEvent): void {
  if (!persisted) return;
  away = false;
  version += 1;
  drafts.clear();
  for (const subscription of subscriptions) Object.assign(subscription, { version, told: null });
  watch();
}

/** What a run has said so far of the answer that is coming; null where it says nothing. */
export function draftOf(runId: string): Draft | null {
  return drafts.get(runId);
}

/**
 * Hears the server: the events of one conversation or of all, and how the connection is. All tabs share one stream.
 * Returns what ends it.
 */
export function subscribeLive(
  { conversationId = null }: { conversationId?: string | null },
  listener: Listener,
): () => void {
  version += 1;
  const subscription: Subscription = { ...listener, conversationId, version, told: null };
  subscriptions.add(subscription);
  watch();
  return () => {
    subscriptions.delete(subscription);
    version += 1;
    watch();
  };
}
