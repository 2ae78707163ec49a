import { CHUNK_STEPS, WHOLE_STEPS } from "@/lib/session/timeline/timeline-levels.ts";

/** Where the API has a conversation. */
export function conversationAddress(conversationId: string): string {
  return `/api/conversations/${encodeURIComponent(conversationId)}`;
}

/** The rows at the end of a long session that its timeline is drawn of first, by whole chunks. */
export function rowsOfEnd(last: number): { after: number; limit: number } {
  return { after: Math.max(Math.floor((last - 1) / CHUNK_STEPS) - 1, 0) * CHUNK_STEPS, limit: 3 * CHUNK_STEPS };
}

/** What a timeline is drawn of first, so that the browser asks for it while the page's scripts are still on their way. */
export function firstOfTimeline(conversationId: string, last: number): string[] {
  const base = `${conversationAddress(conversationId)}/timeline`;
  if (last <= WHOLE_STEPS) return [base];
  const { after, limit } = rowsOfEnd(last);
  return [`${base}/buckets`, `${base}?after=${after}&limit=${limit}`];
}
