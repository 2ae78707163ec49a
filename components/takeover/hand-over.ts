import { callApi } from "@/components/client/api.ts";

/** Takes a conversation over, or hands it back (D11). The result arrives as events, often before the response. */
export function handOver(conversationId: string, way: "takeover" | "handback"): Promise<unknown> {
  return callApi<unknown>(`/api/conversations/${encodeURIComponent(conversationId)}/${way}`, { method: "POST" });
}
