import { callApi } from "@/components/client/api.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import type { View } from "@/lib/session/session.ts";
import type { TimelineColumns } from "@/lib/session/timeline.ts";

/** The most events the API answers at once. */
export const PAGE = 1_000;

/** Reads one session from the API. Everything throws what `callApi` throws. */
export interface SessionSource {
  view(at: number, signal: AbortSignal): Promise<View>;
  /** Events after a step, oldest first, at most `limit`. */
  events(after: number, limit: number, signal: AbortSignal): Promise<SessionEvent[]>;
  timeline(signal: AbortSignal): Promise<TimelineColumns>;
}

export function sessionSource(conversationId: string): SessionSource {
  const base = `/api/conversations/${encodeURIComponent(conversationId)}`;
  return {
    view: (at, signal) => callApi<View>(`${base}/view`, { query: { at }, signal }),
    async events(after, limit, signal) {
      const page = await callApi<{ items: SessionEvent[] }>(`${base}/events`, { query: { after, limit }, signal });
      return page.items;
    },
    timeline: (signal) => callApi<TimelineColumns>(`${base}/timeline`, { signal }),
  };
}
