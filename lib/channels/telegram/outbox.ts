import { createHash } from "node:crypto";
import type { Replicas } from "../../../db/replicas.ts";
import type { Events, Log, TelegramStore } from "../../../db/repositories.ts";
import type { SessionEvent } from "../../session/event.ts";
import { pause, waitAfter } from "./backoff.ts";
import { ALERTS, type Feed } from "./feeds.ts";
import { createLanes } from "./lanes.ts";
import { chatIdOf } from "./names.ts";
import type { Sender } from "./sender.ts";

/** Events per page. */
const PAGE = 500;

/** Sends messages from the log to chats. */
export interface Outbox {
  /** Sends what an earlier process left, then follows the log. Resolves when that has started. */
  start(): Promise<void>;
  /** The number of chats with messages that are being sent or retried. */
  behind(): number;
  idle(): Promise<void>;
}

/** What the outbox depends on. */
export interface OutboxNeeds {
  store: TelegramStore;
  events: Pick<Events, "headers" | "since" | "head">;
  log: Pick<Log, "append">;
  bus: { subscribe(listener: () => void): () => void };
  replicas: Pick<Replicas, "isLeader">;
  feedOf: (name: string) => Feed | null;
  sender: Sender;
  logger: { error(details: object, message: string): void };
  stopping: AbortSignal;
}

/**
 * Follows the log and sends messages, each feed in order and concurrently with others. Positions are stored after each
 * message, so that after a crash at most one is repeated and none is lost (D10).
 */
export function createOutbox({
  store,
  events,
  log,
  bus,
  replicas,
  feedOf,
  sender,
  logger,
  stopping,
}: OutboxNeeds): Outbox {
  async function work(name: string): Promise<void> {
    const feed = feedOf(name);
    const progress = feed && (await store.progress(name));
    if (!feed || !progress) return;
    const { conversationId } = feed;
    const place = { name, ...progress };
    let { position } = progress;
    let unwritten = 0;
    for (;;) {
      const page = await events.since(position, {
        limit: PAGE,
        ...(conversationId !== undefined && { conversationId }),
      });
      for (const event of page) await tell(feed, event, place);
      position = page.at(-1)?.position ?? position;
      if (page.length === 0) return;
      // Otherwise a feed of the whole log would read all of it at the next start.
      unwritten += page.length;
      if (unwritten < PAGE) continue;
      await advance(place, position, 0);
      unwritten = 0;
    }
  }

  async function tell(feed: Feed, event: SessionEvent, place: Place): Promise<void> {
    const messages = await feed.messagesOf(event);
    if (messages.length === 0) return;
    for (const [index, message] of messages.entries()) {
      if (index < place.parts) continue;
      stopping.throwIfAborted();
      if (!replicas.isLeader()) throw new Error("Another replica may send the messages to Telegram");
      const refusal = await sender.send(feed.to, message);
      if (refusal !== null) {
        await noteRefusal(event, feed, refusal);
        break;
      }
      if (index < messages.length - 1) await advance(place, event.position - 1, index + 1);
    }
    await advance(place, event.position, 0);
  }

  async function advance(place: Place, position: number, parts: number): Promise<void> {
    await store.advance(place.name, { position, parts });
    Object.assign(place, { position, parts });
  }

  /** Records in the conversation that its user was not reached. Once, however often sending is retried. */
  async function noteRefusal({ id, conversation_id }: SessionEvent, { to }: Feed, reason: string): Promise<void> {
    const message = `Telegram rejected the message for ${to}: ${reason}`;
    const note = {
      ...{ id: undeliveredId(id), conversation_id, actor: "system", agent_id: null, run_id: null },
      ...{ parent_run_id: null, caused_by: id, occurred_at: null },
      type: "log",
      payload: { level: "warn", message },
    };
    await log.append([note], "server");
  }

  const lanes = createLanes({
    work,
    rest: (failed) => pause(waitAfter(failed, Math.random()), stopping),
    onFailure: (error, name) =>
      logger.error({ err: error, feed: name }, "Could not record the delivery to Telegram; retrying"),
    stopping,
  });

  /** Wakes the feeds of new events after `seen`. */
  async function wakeFrom(seen: number): Promise<number> {
    const page = await events.headers(seen, PAGE);
    for (const { type, conversation_id } of page) {
      if (type === "manager.alerted") lanes.wake(ALERTS);
      if (type === "message.created" && chatIdOf(conversation_id) !== null) lanes.wake(conversation_id ?? "");
    }
    return page.at(-1)?.position ?? seen;
  }

  return {
    async start() {
      const seen = await events.head();
      const follower = createLanes({
        work: followLog(seen, wakeFrom),
        rest: (failed) => pause(waitAfter(failed, Math.random()), stopping),
        onFailure: (error) => logger.error({ err: error }, "Could not read the log for Telegram; retrying"),
        stopping,
      });
      const unsubscribe = bus.subscribe(() => follower.wake("log"));
      stopping.addEventListener("abort", unsubscribe, { once: true });
      if (feedOf(ALERTS)) await store.follow(ALERTS);
      for (const name of [ALERTS, ...(await store.behind())]) lanes.wake(name);
    },
    behind: lanes.count,
    idle: lanes.idle,
  };
}

/** The id of the event that records a failed delivery: deterministic. */
function undeliveredId(eventId: string): string {
  return `telegram:undelivered:${createHash("sha256").update(eventId).digest("hex").slice(0, 32)}`;
}

/** A feed's stored progress. */
interface Place {
  name: string;
  position: number;
  parts: number;
}

/** Continues until there are no more events. */
function followLog(from: number, step: (seen: number) => Promise<number>): () => Promise<void> {
  let seen = from;
  return async () => {
    for (;;) {
      const next = await step(seen);
      if (next === seen) return;
      seen = next;
    }
  };
}
