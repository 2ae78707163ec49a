import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiProblem } from "@/components/client/api.ts";
import type { Step } from "@/lib/session/events/event-index-columns.ts";
import { timelineOf } from "@/lib/session/testing/timeline.ts";
import { AT_FIRST, foldChunk, joinBuckets } from "@/lib/session/timeline/levels.ts";
import type { LongTimeline } from "@/lib/session/timeline/long-timeline.ts";
import type { SessionSource } from "./load-session.ts";
import { LongTimelineLoader } from "./long-timeline.ts";

const LAST = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const steps = Array.from({ length: LAST }, (_, index): Step => {
  const nobody = { actor: null, agent_id: null, run_id: null, parent_run_id: null, caused_by: null };
  const nothing = { call_id: null, iteration: null, instance: null, tool: null, error: false };
  const untold = { speaker: null, parent_call: null, parent_instance: null };
  return { seq: index + 1, id: `e${index}`, time: index, type: "log", ...nobody, ...nothing, ...untold };
});

/** A fake server that has computed the timeline up to a step. */
function serverAt(made: { to: number }): SessionSource {
  const whole = foldChunk(AT_FIRST, steps, () => null).buckets;
  const notMade = { status: 503, code: "unavailable", detail: "It is being made", errors: [] };
  return {
    buckets: async () => ({ ...joinBuckets([whole], 1, made.to), to: made.to, last: LAST }),
    async rows() {
      if (made.to < LAST) throw new ApiProblem(notMade);
      return { ...timelineOf(steps), before: { lanes: AT_FIRST.lanes, clock: AT_FIRST.clock } };
    },
    timeline: () => Promise.reject(new Error("All rows were asked for")),
    view: () => Promise.reject(new Error("A view was asked for")),
    events: () => Promise.reject(new Error("Events were asked for")),
    next: () => Promise.reject(new Error("A step was asked for")),
  };
}

test("E8: while the server computes the timeline its progress is reported, and it is drawn when complete", async () => {
  const made = { to: 250 };
  const shown: LongTimeline[] = [];
  const told: number[] = [];
  const loader = new LongTimelineLoader(serverAt(made), {
    onChange: (long) => shown.push(long),
    onMaking: (share) => told.push(share),
    onFailure: (error) => expect.fail(String(error)),
    seqOf: () => null,
  });
  const loaded = loader.load(LAST);
  await vi.advanceTimersByTimeAsync(0);
  made.to = 500;
  await vi.advanceTimersByTimeAsync(1_000);
  expect({ told, shown }).toEqual({ told: [0.25, 0.5], shown: [] });
  made.to = LAST;
  await vi.advanceTimersByTimeAsync(1_000);
  await loaded;
  expect(shown.map(({ last }) => last)).toEqual([LAST]);
});

test("E8: no requests follow after the page is left", async () => {
  const source = serverAt({ to: 0 });
  const asked = vi.spyOn(source, "buckets");
  const nobody = {
    onChange: () => undefined,
    onMaking: () => undefined,
    onFailure: () => undefined,
    seqOf: () => null,
  };
  const loader = new LongTimelineLoader(source, nobody);
  const loaded = loader.load(LAST).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(0);
  loader.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await loaded).toBeInstanceOf(DOMException);
  expect(asked).toHaveBeenCalledTimes(1);
});
