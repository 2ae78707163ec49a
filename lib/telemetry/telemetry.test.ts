import { expect, test } from "vitest";
import type { SessionEvent } from "../session/event.ts";
import type { Exported, TurnSpans } from "./sdk.ts";
import { createTelemetry } from "./telemetry.ts";

/** A log whose runs end at once, and a fake collector. */
function bench({ place = 0 as number | null, answers = [] as Exported[] } = {}) {
  const log: SessionEvent[] = [];
  const own = new Set<string>();
  const sent: string[][] = [];
  const logged: string[] = [];
  const written: number[] = [];
  const listeners = new Set<() => void>();
  const timers: { ms: number; act: () => void }[] = [];
  let unsynced = 0;
  const append = (run_id: string, more: Partial<SessionEvent> = {}) => {
    const position = log.length + 1;
    const names = { conversation_id: "c", agent_id: null, parent_run_id: null, actor: null, caused_by: null };
    const times = { occurred_at: "2026-01-01T00:00:00.000Z", recorded_at: "2026-01-01T00:00:00.000Z" };
    const started = { type: "run.finished", payload: {}, ...names, ...times, ...more };
    log.push({ id: `e${position}`, seq: position, position, run_id, ...started });
    for (const listen of listeners) listen();
  };
  const telemetry = createTelemetry({
    events: {
      headers: async (after, limit) => log.slice(after, log.length - unsynced).slice(0, limit),
      head: async () => log.length,
    },
    runs: {
      find: async (run_id) => (own.has(run_id) ? { run_id, conversation_id: "c", parent_run_id: null } : null),
      events: async () => [],
    },
    bus: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    clock: {
      now: () => 0,
      later(ms, act) {
        const timer = { ms, act };
        timers.push(timer);
        return () => {
          const index = timers.indexOf(timer);
          if (index >= 0) timers.splice(index, 1);
        };
      },
    },
    collector: {
      async send(turns: readonly TurnSpans[]) {
        sent.push(turns.map(({ runId }) => runId));
        return answers.shift() ?? { kind: "sent" };
      },
      shutdown: async () => undefined,
    },
    place: {
      read: async () => place,
      async write(position) {
        written.push(position);
      },
    },
    content: false,
    logger: {
      info: (_, message) => void logged.push(message),
      warn: (_, message) => void logged.push(message),
    },
  });
  return {
    ...{ telemetry, append, sent, logged, written },
    /** The newest events are committed, but not synced to disk yet, and nobody is notified of them. */
    leaveUnsynced(count: number) {
      unsynced = count;
      for (const listen of listeners) listen();
    },
    own(...ids: string[]) {
      for (const id of ids) own.add(id);
    },
    /** Runs the next timer; returns its delay. */
    async pass(): Promise<number> {
      const timer = timers.shift();
      timer?.act();
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      return timer?.ms ?? Number.NaN;
    },
  };
}

const DOWN: Exported = { kind: "unreachable", error: new Error("connect ECONNREFUSED") };

test("own turns are exported when they end, those of others and of delegates are not", async () => {
  const { telemetry, append, own, pass, sent, written } = bench();
  await telemetry.start();
  own("mine", "child");
  append("foreign");
  append("child", { parent_run_id: "mine" });
  append("mine", { type: "run.started" });
  await pass();
  expect(sent).toEqual([]);
  append("mine");
  await pass();
  expect(sent).toEqual([["mine"]]);
  expect(written.at(-1)).toBe(4);
});

test("a turn whose end is synced to disk while the log is read is exported", async () => {
  const { telemetry, append, own, leaveUnsynced, pass, sent } = bench();
  await telemetry.start();
  own("mine");
  leaveUnsynced(1);
  append("mine");
  await pass();
  leaveUnsynced(0);
  await pass();
  expect(sent).toEqual([["mine"]]);
});

test("a first start exports nothing older, a later one continues at the stored position", async () => {
  for (const [place, expected] of [
    [null, []],
    [1, [["second"]]],
    [99, []],
  ] as const) {
    const { telemetry, append, own, pass, sent } = bench({ place });
    own("first", "second");
    append("first");
    append("second");
    await telemetry.start();
    await pass();
    expect(sent).toEqual(expected);
  }
});

test("an unreachable collector is logged once, retried with growing waits, and misses nothing", async () => {
  const { telemetry, append, own, pass, sent, logged, written } = bench({ answers: [DOWN, DOWN, DOWN] });
  await telemetry.start();
  own("a", "b");
  append("a");
  const waits = [await pass(), await pass(), await pass()];
  append("b");
  expect(written.at(-1)).toBe(0);
  waits.push(await pass());
  expect(waits).toEqual([500, 1_000, 2_000, 4_000]);
  expect(sent.at(-1)).toEqual(["a", "b"]);
  expect(logged).toEqual(["Could not export traces; retrying later", "Traces are being exported again"]);
});

test("a refused turn is logged, and the others are exported", async () => {
  const refused: Exported = { kind: "refused", error: new Error("400") };
  const { telemetry, append, own, pass, sent, logged, written } = bench({ answers: [refused, refused] });
  await telemetry.start();
  own("bad", "good");
  append("bad");
  append("good");
  await pass();
  expect(sent).toEqual([["bad", "good"], ["bad"], ["good"]]);
  expect(logged).toEqual(["The collector rejected a trace"]);
  expect(written.at(-1)).toBe(2);
});

test("finished turns are exported before the server stops", async () => {
  const { telemetry, append, own, sent, written } = bench();
  await telemetry.start();
  own("last");
  append("last");
  await telemetry.stop();
  expect(sent).toEqual([["last"]]);
  expect(written.at(-1)).toBe(1);
});
