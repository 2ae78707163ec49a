import { CHUNK_STEPS, WHOLE_STEPS } from "@/lib/session/timeline/levels.ts";

/** The API address of a conversation. */
export function conversationAddress(conversationId: string): string {
  return `/api/conversations/${encodeURIComponent(conversationId)}`;
}

/** The rows at the end of a long session, by whole chunks, from which its timeline is drawn first. */
export function rowsOfEnd(last: number): { after: number; limit: number } {
  return { after: Math.max(Math.floor((last - 1) / CHUNK_STEPS) - 1, 0) * CHUNK_STEPS, limit: 3 * CHUNK_STEPS };
}

/** The requests of the first timeline, for preloading. */
export function firstOfTimeline(conversationId: string, last: number): string[] {
  const base = `${conversationAddress(conversationId)}/timeline`;
  if (last <= WHOLE_STEPS) return [base];
  const { after, limit } = rowsOfEnd(last);
  return [`${base}/buckets`, `${base}?after=${after}&limit=${limit}`];
}
