import type { NoticeStore } from "../../db/notices.ts";
import type { Clock } from "../engine/ports.ts";
import type { Channel } from "./channel.ts";
import { createFollower, type Follower, type FollowerNeeds } from "./follower.ts";
import { type Manner, testMessage } from "./message.ts";
import type { QuietHours } from "./quiet-hours.ts";

/** When notifications are sent. */
export interface Timing {
  quiet: QuietHours | null;
  /** The interval of reminders, ms; null for none. */
  remindAfter: number | null;
}

/** What notifications depend on. */
export interface NoticeNeeds {
  notices: NoticeStore;
  replicas: FollowerNeeds["replicas"];
  bus: { subscribe(listener: () => void): () => void };
  clock: Clock;
  channels: readonly Channel[];
  manner: Manner;
  timing: Timing;
  /** A new id of a message. */
  newId(): string;
  logger: FollowerNeeds["logger"];
}

/** The result of a test. */
export interface Tried {
  channel: Channel["name"];
  sent: boolean;
  /** Why it failed. */
  error: string | null;
}

/** Notifications about pending confirmations and alerts. */
export interface Notices {
  /** The channels that are configured. */
  readonly channels: readonly Channel["name"][];
  /** Continues with what an earlier process left, and sends new ones, until it is stopped; may be started again. */
  start(): Promise<void>;
  /** Waits for messages that are being sent, a second at most. */
  stop(): Promise<void>;
  /** Something is to be sent that the log does not have. */
  news(): void;
  /** Sends a test by each channel, also in quiet hours. */
  test(): Promise<Tried[]>;
}

/** How long stopping the server may wait for a channel, ms. */
const LAST_CHANCE_MS = 1_000;

/** Sends notifications by all channels, concurrently. */
export function createNotices({ channels, bus, ...needs }: NoticeNeeds): Notices {
  let followers: Follower[] = [];
  let unsubscribe = (): void => undefined;
  const news = () => {
    for (const follower of followers) follower.news();
  };
  return {
    channels: channels.map(({ name }) => name),
    news,
    async start() {
      followers = channels.map((channel) => createFollower(channel, needs));
      for (const follower of followers) await follower.start();
      unsubscribe = bus.subscribe(news);
    },
    async stop() {
      unsubscribe();
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const cancel = needs.clock.later(LAST_CHANCE_MS, resolve);
      await Promise.race([over, Promise.all(followers.map((follower) => follower.stop()))]);
      cancel();
    },
    test: () =>
      Promise.all(
        channels.map(async (channel) => {
          const error = await channel.send(testMessage(needs.newId(), needs.manner));
          return { channel: channel.name, sent: error === null, error };
        }),
      ),
  };
}
