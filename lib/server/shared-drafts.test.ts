import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionEvent } from "../session/event.ts";
import { createBus } from "./bus.ts";
import { createDrafts, type LiveDrafts } from "./drafts.ts";
import { shareDrafts } from "./shared-drafts.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Replicas that hear each other, unless notices are lost. */
function network(names: readonly string[]) {
  const heard = new Map<string, (text: string, from: string) => void>();
  const followers: ((events: readonly SessionEvent[]) => void)[] = [];
  const net = { isLossy: false, longest: 0 };
  const replicas = names.map((name) =>
    shareDrafts(createDrafts(createBus(), []), {
      tell(_, text) {
        net.longest = Math.max(net.longest, Buffer.byteLength(text));
        if (!net.isLossy) for (const [other, hear] of heard) if (other !== name) hear(text, name);
      },
      hear: (_, hear) => void heard.set(name, hear),
      follow: (_, listener) => void followers.push(listener),
    }),
  );
  return { net, replicas, followers };
}

const draft = { conversation_id: "c", run_id: "r", agent_id: null };
const textsOf = (drafts: LiveDrafts | undefined) => [...(drafts?.list() ?? [])].map(({ text }) => text);

test("a draft of one replica is shown at the others as it grows, and until it ends", () => {
  const [here, there] = network(["a", "b"]).replicas;
  let told = 0;
  there?.subscribe(() => {
    told += 1;
  });
  here?.write({ ...draft, text: "It is" });
  expect(textsOf(there)).toEqual(["It is"]);
  here?.write({ ...draft, text: "It is mild" });
  vi.advanceTimersByTime(200);
  expect(textsOf(there)).toEqual(["It is mild"]);
  expect(told).toBe(2);
  here?.end("r");
  expect(textsOf(there)).toEqual([]);
});

test("a long draft with any characters arrives whole, in notices that Postgres takes", () => {
  const { net, replicas } = network(["a", "b"]);
  const text = "\u0001💥".repeat(5_000);
  replicas[0]?.write({ ...draft, text });
  vi.advanceTimersByTime(200);
  expect(textsOf(replicas[1])).toEqual([text]);
  expect(net.longest).toBeLessThan(7_500);
});

test("whoever has missed a piece, or comes later, gets all of it", () => {
  const { net, replicas } = network(["a", "b"]);
  net.isLossy = true;
  replicas[0]?.write({ ...draft, text: "It is" });
  net.isLossy = false;
  replicas[0]?.write({ ...draft, text: "It is mild" });
  vi.advanceTimersByTime(200);
  replicas[0]?.write({ ...draft, text: "It is mild today" });
  vi.advanceTimersByTime(300);
  expect(textsOf(replicas[1])).toEqual(["It is mild today"]);
});

test("a draft is not shown any more when the log has its answer, even if its end was not heard", () => {
  const { net, replicas, followers } = network(["a", "b"]);
  replicas[0]?.write({ ...draft, text: "It is" });
  net.isLossy = true;
  replicas[0]?.end("r");
  const answer: SessionEvent = {
    ...{ id: "e", conversation_id: "c", seq: 1, position: 1, type: "message.created", actor: null, agent_id: null },
    ...{ run_id: "r", parent_run_id: null, caused_by: null, payload: {}, occurred_at: null },
    ...{ recorded_at: "2026-01-31T00:00:00.000Z", recorded_by: "engine" },
  };
  for (const follow of followers) follow([answer]);
  expect(textsOf(replicas[1])).toEqual([]);
});

test("a draft of a replica that has ended is forgotten", () => {
  const { replicas } = network(["a", "b"]);
  replicas[0]?.write({ ...draft, text: "It is" });
  vi.advanceTimersByTime(130_000);
  expect(textsOf(replicas[1])).toEqual([]);
});
