import type { FirstNotice, Notice, NoticeStore } from "../../db/notices.ts";
import type { Clock } from "../engine/ports.ts";
import type { Channel } from "./channel.ts";
import { type Manner, tell } from "./message.ts";
import type { Timing } from "./notices.ts";
import { quietFor } from "./quiet-hours.ts";

/** What a follower depends on. */
export interface FollowerNeeds {
  notices: NoticeStore;
  /** Whether this server sends notifications, and no other. */
  replicas: { isLeader(): boolean };
  clock: Clock;
  manner: Manner;
  timing: Timing;
  newId(): string;
  logger: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

/** Sends notifications by one channel. */
export interface Follower {
  start(): Promise<void>;
  /** Must be called when the log has grown. */
  news(): void;
  /** Resolves when nothing is being sent any more. */
  stop(): Promise<void>;
}

/** How long notifications are batched, ms. */
const GATHER_MS = 3_000;
/** The minimum time between messages: a burst results in few. */
const REST_MS = 10_000;
/** Older ones, as of an import, are ignored; ms. */
const TOLD_WITHIN_MS = 24 * 3_600_000;
const MOST_REMINDERS = 3;
/** The first wait after a failure, ms; it doubles each time. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 600_000;
/** The system clock may be changed meanwhile. */
const LONGEST_QUIET_MS = 3_600_000;

/**
 * Sends notifications by a channel. They are stored before they are sent and deleted after, so that after a crash one
 * may be sent twice, with the same id.
 */
export function createFollower(channel: Channel, needs: FollowerNeeds): Follower {
  const { notices, replicas, clock, manner, timing, newId, logger } = needs;
  const { name } = channel;
  let failures = 0;
  let restsUntil = 0;
  let timer: { at: number; cancel(): void } | null = null;
  let working: Promise<void> | null = null;
  let hasNews = false;
  let isStopping = false;

  function wake(ms: number): void {
    const at = clock.now() + ms;
    if (isStopping || (timer && timer.at <= at)) return;
    timer?.cancel();
    timer = { at, cancel: clock.later(ms, run) };
  }

  function run(): void {
    timer = null;
    if (working) return;
    hasNews = false;
    working = work()
      .catch(failed)
      .then((wait) => {
        working = null;
        if (wait !== null) wake(wait);
        if (hasNews) news();
      });
  }

  function news(): void {
    hasNews = true;
    // After a failure the next attempt also sends what has become pending.
    if (working || failures > 0) return;
    wake(Math.max(GATHER_MS, rest()));
  }

  /** Sends what is due; returns how long to wait until more is due, ms, null for nothing. */
  async function work(): Promise<number | null> {
    await notices.gather(name, first);
    const now = clock.now();
    const quiet = quietFor(timing.quiet, now);
    if (quiet > 0) return Math.min(quiet, LONGEST_QUIET_MS);
    const message = await notices.take(name, now, newId());
    if (message) {
      if (!replicas.isLeader()) throw new Error("Another replica may send the notifications");
      const refusal = await channel.send(tell(message, manner));
      if (refusal !== null) {
        await notices.failed(name, message.id, refusal);
        throw new Error(refusal);
      }
      const at = clock.now();
      const again = timing.remindAfter === null ? null : at + timing.remindAfter;
      await notices.sent(name, message.id, { at, again, most: MOST_REMINDERS });
      restsUntil = at + REST_MS;
    }
    if (failures > 0) logger.info({ channel: name }, "Notifications are being sent again");
    failures = 0;
    const due = await notices.nextDue(name);
    return due === null ? null : Math.max(due - clock.now(), rest());
  }

  /** The remaining pause, at most all of it if the clock was changed. */
  function rest(): number {
    return Math.min(REST_MS, restsUntil - clock.now());
  }

  function failed(error: unknown): number {
    // Logged once per outage.
    if (failures === 0 && !isStopping)
      logger.warn({ channel: name, err: error }, "Could not send notifications; retrying later");
    failures += 1;
    return Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
  }

  /** When a new notification is sent first. */
  function first(kind: Notice["kind"], since: number): FirstNotice | null {
    const now = clock.now();
    if (now - since > TOLD_WITHIN_MS) return null;
    if (kind === "confirmation" || !channel.tellsAlerts || quietFor(timing.quiet, since) > 0)
      return { number: 0, dueAt: now };
    return timing.remindAfter === null ? null : { number: 1, dueAt: since + timing.remindAfter };
  }

  return {
    async start() {
      await notices.follow(name);
      news();
    },
    news,
    async stop() {
      isStopping = true;
      timer?.cancel();
      await working;
    },
  };
}
