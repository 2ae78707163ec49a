import type { ListedConfirmation } from "@/lib/api/shapes.ts";

/** The studio at the step and the call of an approval. */
export function studioAddress(item: ListedConfirmation): string {
  const { conversation_id, requested_seq, call_id, run_id, iteration, instance } = item;
  const query = new URLSearchParams({ at: String(requested_seq) });
  if (run_id !== null) query.set("run", run_id);
  if (iteration !== null) query.set("iteration", String(iteration));
  if (instance !== "") query.set("instance", instance);
  if (call_id !== null) {
    query.set("call", call_id);
    query.set("tab", "call");
  }
  return `/conversations/${encodeURIComponent(conversation_id)}?${query}`;
}
