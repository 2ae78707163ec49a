import { callApi } from "@/components/client/api.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import type { View } from "@/lib/session/session.ts";
import type { StepUnit } from "@/lib/session/timeline/steps.ts";
import type { TimelineBuckets, TimelineColumns } from "@/lib/session/timeline/timeline.ts";
import { conversationAddress } from "./first-timeline.ts";

/** The API's limit of events. */
export const PAGE = 1_000;

/** Loads a session from the API. Everything throws what `callApi` throws. */
export interface SessionSource {
  view(at: number, signal: AbortSignal): Promise<View>;
  /** Events after a step, oldest first, at most `limit`. */
  events(after: number, limit: number, signal: AbortSignal): Promise<SessionEvent[]>;
  timeline(signal: AbortSignal): Promise<TimelineColumns>;
  /** At most `limit` rows after a step, with what is open at their start. */
  rows(after: number, limit: number, signal: AbortSignal): Promise<TimelineColumns>;
  /** Buckets between two steps, or of the whole session. */
  buckets(range: { from?: number; to?: number }, signal: AbortSignal): Promise<TimelineBuckets>;
  /** The nearest step of a unit; null for none. */
  next(asked: { at: number; unit: StepUnit; direction: 1 | -1 }, signal: AbortSignal): Promise<number | null>;
}

interface EventPage {
  items: SessionEvent[];
  next: string | null;
}

export function sessionSource(conversationId: string): SessionSource {
  const base = conversationAddress(conversationId);
  return {
    view: (at, signal) => callApi<View>(`${base}/view`, { query: { at }, signal }),
    async events(after, limit, signal) {
      const events: SessionEvent[] = [];
      // Large events make pages shorter than requested.
      for (let last: number | null = after; last !== null && events.length < limit; ) {
        const page: EventPage = await callApi(`${base}/events`, {
          query: { after: last, limit: limit - events.length },
          signal,
        });
        events.push(...page.items);
        last = page.next === null ? null : Number(page.next);
      }
      return events;
    },
    timeline: (signal) => callApi<TimelineColumns>(`${base}/timeline`, { signal }),
    rows: (after, limit, signal) => callApi<TimelineColumns>(`${base}/timeline`, { query: { after, limit }, signal }),
    buckets: (range, signal) => callApi<TimelineBuckets>(`${base}/timeline/buckets`, { query: range, signal }),
    async next({ at, unit, direction }, signal) {
      const query = { at, unit, direction: direction === 1 ? "next" : "previous" };
      return (await callApi<{ seq: number | null }>(`${base}/timeline/next`, { query, signal })).seq;
    },
  };
}
