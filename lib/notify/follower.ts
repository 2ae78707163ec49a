import type { FirstNotice, Notice, NoticeStore } from "../../db/notices.ts";
import type { Clock } from "../engine/ports.ts";
import type { Channel } from "./channel.ts";
import { type Manner, tell } from "./message.ts";
import type { Timing } from "./notices.ts";
import { quietFor } from "./quiet-hours.ts";

/** What a follower has of the server. */
export interface FollowerNeeds {
  notices: NoticeStore;
  clock: Clock;
  manner: Manner;
  timing: Timing;
  newId(): string;
  logger: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

/** What tells people by one channel. */
export interface Follower {
  start(): Promise<void>;
  /** The log has grown. */
  news(): void;
  /** Resolves when nothing is being sent any more. */
  stop(): Promise<void>;
}

/** What comes within so long is told together, ms. */
const GATHER_MS = 3_000;
/** And after a message nothing comes for so long: a burst is a few messages, however long it is. */
const REST_MS = 10_000;
/** What is older when it comes, as of an import, awaits nobody; ms. */
const TOLD_WITHIN_MS = 24 * 3_600_000;
const MOST_REMINDERS = 3;
/** How long after a failure it is tried again, ms: twice as long each time. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 600_000;
/** The clock on the wall may be put forward or back meanwhile. */
const LONGEST_QUIET_MS = 3_600_000;

/**
 * Follows what waits and tells it by a channel. What is to be told is on disk before it is sent and forgotten after, so that a
 * crash has it sent twice at most, under the same id.
 */
export function createFollower(channel: Channel, needs: FollowerNeeds): Follower {
  const { notices, clock, manner, timing, newId, logger } = needs;
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
    // After a failure it is the next try that sends what came meanwhile.
    if (working || failures > 0) return;
    wake(Math.max(GATHER_MS, rest()));
  }

  /** Sends what is due; gives how long to wait until there is more to do, ms, null for nothing. */
  async function work(): Promise<number | null> {
    await notices.gather(name, first);
    const now = clock.now();
    const quiet = quietFor(timing.quiet, now);
    if (quiet > 0) return Math.min(quiet, LONGEST_QUIET_MS);
    const message = await notices.take(name, now, newId());
    if (message) {
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

  /** What is left of the rest; no more than all of it, wherever the clock was set meanwhile. */
  function rest(): number {
    return Math.min(REST_MS, restsUntil - clock.now());
  }

  function failed(error: unknown): number {
    // Once for an outage, however long.
    if (failures === 0 && !isStopping)
      logger.warn({ channel: name, err: error }, "Could not send notifications; retrying later");
    failures += 1;
    return Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
  }

  /** When something new is told first. */
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
