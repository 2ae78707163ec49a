import type { NoticeStore } from "../../db/notices.ts";
import type { Clock } from "../engine/ports.ts";
import type { Channel } from "./channel.ts";
import { createFollower, type FollowerNeeds } from "./follower.ts";
import { type Manner, tellTest } from "./message.ts";
import type { QuietHours } from "./quiet-hours.ts";

/** When people are told. */
export interface Timing {
  quiet: QuietHours | null;
  /** After how long a reminder comes, and each further one, ms; null for none. */
  remindAfter: number | null;
}

/** What notices have of the server. */
export interface NoticeNeeds {
  notices: NoticeStore;
  bus: { subscribe(listener: () => void): () => void };
  clock: Clock;
  channels: readonly Channel[];
  manner: Manner;
  timing: Timing;
  /** A new id for a message. */
  newId(): string;
  logger: FollowerNeeds["logger"];
}

/** What a channel answered to a test. */
export interface Tried {
  channel: Channel["name"];
  sent: boolean;
  /** Why it was not. */
  error: string | null;
}

/** Messages to people about what awaits them. */
export interface Notices {
  /** Goes on with what an earlier process left, and tells from now on what comes. */
  start(): Promise<void>;
  /** Waits, a second at most, for what is being sent. */
  stop(): Promise<void>;
  /** Sends a test by each channel, whatever the hour. */
  test(): Promise<Tried[]>;
}

/** How long the end of the server may wait for a channel, ms. */
const LAST_CHANCE_MS = 1_000;

/** Tells people by each channel what awaits them. Channels do not wait for each other. */
export function createNotices({ channels, bus, ...needs }: NoticeNeeds): Notices {
  const followers = channels.map((channel) => createFollower(channel, needs));
  let unsubscribe = (): void => undefined;
  return {
    async start() {
      for (const follower of followers) await follower.start();
      unsubscribe = bus.subscribe(() => {
        for (const follower of followers) follower.news();
      });
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
          const error = await channel.send(tellTest(needs.newId(), needs.manner));
          return { channel: channel.name, sent: error === null, error };
        }),
      ),
  };
}
