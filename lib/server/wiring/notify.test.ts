import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { decided, requested } from "../../../db/contract/runs/asking.ts";
import { newEvent } from "../../../db/contract/subject.ts";
import type { NewEvent } from "../../../db/repositories.ts";
import { type SqliteSubject, sqliteSubject } from "../../../db/sqlite/testing/subject.ts";
import type { Clock } from "../../engine/ports.ts";
import type { Channel } from "../../notify/channel.ts";
import type { OutgoingNotice } from "../../notify/message.ts";
import { createNotices, type Notices, type Timing } from "../../notify/notices.ts";
import { readQuietHours } from "../../notify/quiet-hours.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOON = Date.parse("2026-11-22T12:00:00.000Z");

/** A clock that the test advances. */
class HandClock implements Clock {
  #now = NOON;
  #timers: { at: number; act: () => void }[] = [];

  now = () => this.#now;

  later = (ms: number, act: () => void) => {
    const timer = { at: this.#now + ms, act };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  /** Advances the clock, and runs all that each timer causes. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await quiet();
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = Math.max(this.#now, next.at);
      next.act();
      await quiet();
    }
    this.#now = end;
  }
}

/** Runs the event loop until all work has settled. */
async function quiet(): Promise<void> {
  for (let turns = 0; turns < 50; turns++) await turn();
}

let subject: SqliteSubject;
let clock: HandClock;
let sent: OutgoingNotice[];
/** The error of the channel; null if it works. */
let trouble: string | null;
let logged: string[];
let running: Notices[];
let number = 0;
const listeners = new Set<() => void>();

beforeEach(async () => {
  subject = await sqliteSubject();
  [clock, sent, trouble, logged, running] = [new HandClock(), [], null, [], []];
});
afterEach(async () => {
  await stopAll();
  await subject.dispose();
});

async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((notices) => notices.stop()));
}

async function start(timing: Partial<Timing> = {}, more: Partial<Channel> = {}): Promise<Notices> {
  const channel: Channel = {
    ...{ name: "mail", tellsAlerts: false },
    async send(told) {
      if (trouble === null) sent.push(told);
      return trouble;
    },
    ...more,
  };
  const notices = createNotices({
    notices: subject.storage.notices,
    replicas: subject.storage.replicas,
    bus: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    ...{ clock, channels: [channel], timing: { quiet: null, remindAfter: 24 * HOUR, ...timing } },
    manner: { locale: "en", timezone: "UTC", address: "http://127.0.0.1:3000", content: false, describe: () => null },
    newId: () => `notice_${number++}`,
    logger: { info: (_, message) => logged.push(message), warn: (_, message) => logged.push(message) },
  });
  running.push(notices);
  await notices.start();
  return notices;
}

/** Appends events now. */
async function comes(...events: NewEvent[]): Promise<void> {
  const occurred_at = new Date(clock.now()).toISOString();
  await subject.storage.log.append(events.map((event) => ({ ...event, occurred_at })));
  for (const listener of listeners) listener();
}

const ask = (id: string) => requested(id);
const call = (id: string) =>
  newEvent({ id, conversation_id: `of ${id}`, type: "manager.alerted", payload: { text: "Help" } });
const told = () => sent.map(({ notices }) => notices.map(({ id }) => id.split(":").slice(1).join("#")).join(" "));

it("Inform: a burst of 200 is one message, and later ones the next", async () => {
  await start();
  await comes(...Array.from({ length: 200 }, (_, index) => ask(`k${index}`)));
  await clock.pass(3 * SECOND);
  expect(sent.map(({ counts }) => counts)).toEqual([{ confirmation: 200, alert: 0, mention: 0, rule: 0 }]);
  for (let index = 0; index < 8; index++) {
    await comes(ask(`l${index}`));
    await clock.pass(SECOND);
  }
  expect(sent).toHaveLength(1);
  await clock.pass(5 * SECOND);
  expect(sent.map(({ counts }) => counts.confirmation)).toEqual([200, 8]);
});

it("Inform: items pending before the first start, and old imported ones, are never sent", async () => {
  await subject.storage.log.append([ask("before")]);
  await start();
  await subject.storage.log.append([{ ...ask("imported"), occurred_at: "2020-01-01T00:00:00.000Z" }]);
  await comes(ask("now"));
  await clock.pass(HOUR);
  expect(told()).toEqual(["now#0"]);
});

it("Inform: reminders are sent daily, three at most, and none after a decision", async () => {
  await start();
  await comes(ask("k"), ask("l"));
  await clock.pass(30 * HOUR);
  expect(told()).toEqual(["k#0 l#0", "k#1 l#1"]);
  await comes(decided("k", "approved"));
  await clock.pass(10 * 24 * HOUR);
  expect(told().slice(2)).toEqual(["l#2", "l#3"]);
});

it("Inform: without reminders if disabled, and nothing for what is decided at once", async () => {
  await start({ remindAfter: null });
  await comes(ask("k"), ask("l"));
  await clock.pass(SECOND);
  await comes(decided("k", "denied"));
  await clock.pass(10 * 24 * HOUR);
  expect(told()).toEqual(["l#0"]);
});

it("Inform: nothing is sent in quiet hours; afterwards everything is one message", async () => {
  await start({ quiet: readQuietHours("22:00-07:00 UTC"), remindAfter: 12 * HOUR });
  await comes(ask("day"));
  await clock.pass(10 * HOUR);
  expect(told()).toEqual(["day#0"]);
  for (const id of ["a", "b", "c"]) {
    await comes(ask(id), call(`call-${id}`));
    await clock.pass(HOUR);
  }
  await comes(decided("b", "approved"));
  await clock.pass(5.9 * HOUR);
  expect(sent).toHaveLength(1);
  await clock.pass(0.2 * HOUR);
  expect(told()).toEqual(["day#0", "day#1 a#0 call-a#0 call-b#0 c#0 call-c#0"]);
});

it("Inform: if alerts are sent elsewhere, only those of quiet hours and their reminders are sent", async () => {
  await start({ quiet: readQuietHours("22:00-07:00 UTC") }, { name: "telegram", tellsAlerts: true });
  await comes(call("day"));
  await clock.pass(11 * HOUR);
  await comes(call("night"));
  await clock.pass(9 * HOUR);
  expect(told()).toEqual(["night#0"]);
  await clock.pass(24 * HOUR);
  expect(told()).toEqual(["night#0", "day#1", "night#1"]);
});

it("Inform: an unavailable channel is retried with growing waits, with the same id, and logged once", async () => {
  const ids: string[] = [];
  const send: Channel["send"] = async ({ id }) => {
    ids.push(id);
    return trouble;
  };
  await start({}, { send });
  trouble = "no connection";
  await comes(ask("k"));
  await clock.pass(3 * SECOND + 15 * SECOND);
  expect(ids).toHaveLength(5);
  for (let minute = 0; minute < 60; minute++) {
    await comes(ask(`l${minute}`));
    await clock.pass(MINUTE);
  }
  expect(ids.length).toBeLessThan(20);
  expect(new Set(ids).size).toBe(1);
  trouble = null;
  await clock.pass(11 * MINUTE);
  expect(new Set(ids).size).toBe(2);
  expect(logged).toEqual(["Could not send notifications; retrying later", "Notifications are being sent again"]);
});

it("Inform: unsent messages are sent by the next process, with their ids", async () => {
  const ids: string[] = [];
  const send: Channel["send"] = async ({ id }) => {
    ids.push(id);
    // As if the process died before it learned that this was accepted.
    if (ids.length === 1) await new Promise(() => undefined);
    return null;
  };
  await start({}, { send });
  await comes(ask("k"));
  await clock.pass(3 * SECOND);
  running.splice(0);
  listeners.clear();
  await subject.reopen();
  clock = new HandClock();
  await comes(ask("meanwhile"));
  await start({}, { send });
  await clock.pass(MINUTE);
  expect([ids.length, ids[0] === ids[1], ids[1] === ids[2]]).toEqual([3, true, false]);
});

it("Inform: a test is sent at any time, with each channel's result", async () => {
  const notices = await start({ quiet: readQuietHours("00:00-23:59 UTC") });
  trouble = "no connection";
  expect(await notices.test()).toEqual([{ channel: "mail", sent: false, error: "no connection" }]);
  trouble = null;
  expect(await notices.test()).toEqual([{ channel: "mail", sent: true, error: null }]);
  expect(sent).toMatchObject([{ type: "test", notices: [] }]);
});
