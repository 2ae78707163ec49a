import { citeText } from "./cite.ts";
import type { KnownEvent } from "./event.ts";
import type { Folding } from "./folding.ts";

/** A message takes its place in the thread. */
export function foldMessage(folding: Folding, event: Extract<KnownEvent, { type: "message.created" }>): void {
  const { message_id, role, content, name, metadata } = event.payload;
  folding.addMessage({
    id: message_id,
    seq: event.seq,
    role,
    content: citeText(event, "/content", content),
    name: name ?? null,
    run_id: event.run_id,
    created_at: event.occurred_at,
    metadata: metadata ?? null,
  });
}
