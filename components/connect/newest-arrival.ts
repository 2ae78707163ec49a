import { callApi } from "@/components/client/api.ts";
import type { Conversation, Page } from "@/lib/api/shapes.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { type Arrival, arrivedBefore } from "./arrivals.ts";

export const NEWEST_KEY = ["connect", "newest"];

/** The newest step of the most recently active conversation; null without any. */
export async function fetchNewest(signal: AbortSignal): Promise<Arrival | null> {
  const { items } = await callApi<Page<Conversation>>("/api/conversations", { query: { limit: 1 }, signal });
  const [conversation] = items;
  if (!conversation) return null;
  const path = `/api/conversations/${encodeURIComponent(conversation.id)}/events`;
  const query = { after: conversation.last_seq - 1, limit: 1 };
  const [event] = (await callApi<Page<SessionEvent>>(path, { query, signal })).items;
  return event ? arrivedBefore(event) : null;
}
