import type { Browser, Page } from "@playwright/test";
import { z } from "zod";

/** Trace events that run our code, by Chromium's names. */
const SCRIPTING = new Set([
  "EvaluateScript",
  "EventDispatch",
  "FireAnimationFrame",
  "FireIdleCallback",
  "FunctionCall",
  "RunMicrotasks",
  "TimerFire",
  "v8.callFunction",
]);
/** The end of a frame's work in the main thread. */
const FRAME = "BeginCommitCompositorFrame";
const CATEGORIES = ["devtools.timeline", "devtools.timeline.frame", "disabled-by-default-devtools.timeline", "v8"];

const traced = z.object({
  traceEvents: z.array(
    z.looseObject({
      name: z.string(),
      ph: z.string(),
      pid: z.number(),
      tid: z.number(),
      ts: z.number(),
      dur: z.number().optional(),
      tdur: z.number().optional(),
      args: z.looseObject({ name: z.unknown().optional() }).optional(),
    }),
  ),
});

type TraceEvent = z.infer<typeof traced>["traceEvents"][number];

/** The scripting time of each frame, ms. */
export interface Frames {
  wall: number[];
  /** The thread's CPU time. */
  cpu: number[];
  perSecond: number;
}

/** Traces an interaction with a page, and reads the scripting time of its frames. */
export async function traceFrames(browser: Browser, page: Page, act: () => Promise<void>): Promise<Frames> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await act();
  const { traceEvents } = traced.parse(JSON.parse((await browser.stopTracing()).toString()));
  return framesOf(traceEvents);
}

function framesOf(events: readonly TraceEvent[]): Frames {
  const mains = new Set(
    events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(threadOf),
  );
  const main = busiest(events.filter((event) => event.name === FRAME && mains.has(threadOf(event))));
  const own = events.filter((event) => threadOf(event) === main).sort((a, b) => a.ts - b.ts);
  const starts = own.filter(({ name }) => name === FRAME).map(({ ts }) => ts);
  const frames: Frames = { wall: starts.map(() => 0), cpu: starts.map(() => 0), perSecond: 0 };
  let frame = -1;
  let end = 0;
  for (const event of own) {
    while (frame + 1 < starts.length && (starts[frame + 1] ?? 0) <= event.ts) frame += 1;
    // Nested events are part of the outer one.
    if (frame < 0 || event.ph !== "X" || !SCRIPTING.has(event.name) || event.ts < end) continue;
    end = event.ts + (event.dur ?? 0);
    frames.wall[frame] = (frames.wall[frame] ?? 0) + (event.dur ?? 0) / 1_000;
    frames.cpu[frame] = (frames.cpu[frame] ?? 0) + (event.tdur ?? event.dur ?? 0) / 1_000;
  }
  const [first = 0] = starts;
  const seconds = ((starts.at(-1) ?? first) - first) / 1_000_000;
  frames.perSecond = seconds > 0 ? (starts.length - 1) / seconds : 0;
  return frames;
}

/** The thread with the most frames: the page's, not those of other frames and of the browser itself. */
function busiest(frames: readonly TraceEvent[]): string {
  const counts = new Map<string, number>();
  for (const frame of frames) counts.set(threadOf(frame), (counts.get(threadOf(frame)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid}/${tid}`;
}
