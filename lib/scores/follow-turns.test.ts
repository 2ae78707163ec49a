import { expect, test } from "vitest";
import type { SessionEvent } from "../session/event.ts";
import { followTurns } from "./follow-turns.ts";

const event = (position: number, run_id: string, type: string): SessionEvent => ({
  ...{ id: `e${position}`, conversation_id: run_id, seq: 1, position, type, actor: null, agent_id: null, run_id },
  ...{ parent_run_id: null, caused_by: null, payload: {}, occurred_at: null, recorded_at: "2026-11-22T12:00:00.000Z" },
});

test("Turns that nobody wants to evaluate are passed over, and their events are not read", async () => {
  const log = [event(1, "a", "run.started"), event(2, "a", "run.finished"), event(3, "b", "run.started")];
  log.push(event(4, "b", "run.finished"));
  const passed = Promise.withResolvers<number>();
  const written: number[] = [];
  const read: string[] = [];
  const evaluated: string[] = [];
  let wake = (): void => undefined;
  let head = 0;
  const following = followTurns({
    async evaluate(id) {
      evaluated.push(id);
    },
    isWanted: ({ run_id }) => run_id === "b",
    events: {
      headers: async (after) => log.filter(({ position }) => position > after && position <= head),
      head: async () => head,
      async list(id) {
        read.push(id);
        return log.filter(({ conversation_id }) => conversation_id === id);
      },
    },
    bus: {
      subscribe(listener) {
        wake = listener;
        return () => undefined;
      },
    },
    clock: {
      now: () => 0,
      later(_, act) {
        setImmediate(act);
        return () => undefined;
      },
    },
    place: {
      read: async () => null,
      write: async (position) => {
        written.push(position);
        if (position > 0) passed.resolve(position);
      },
    },
    logger: { warn: () => undefined },
  });
  await following.start();
  // Another replica that takes over now misses nothing.
  expect(written).toEqual([0]);
  head = 4;
  wake();
  expect(await passed.promise).toBe(4);
  expect({ read, evaluated }).toEqual({ read: ["b"], evaluated: ["b"] });
  await following.stop();
});
