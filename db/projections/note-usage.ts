import { isKnown, type SessionEvent } from "../../lib/session/event.ts";
import type { Writes } from "../log/writes.ts";

/** Adds what a model of this server's own run has taken to its agent's day, in the transaction that tells of it. */
export function noteUsage(writes: Writes, event: SessionEvent): void {
  if (!isKnown(event) || event.type !== "model.responded") return;
  const { model = "", input_tokens = 0, output_tokens = 0 } = event.payload;
  const day = (event.occurred_at ?? event.recorded_at).slice(0, 10);
  writes.addUsage.run(day, event.agent_id ?? "", model, input_tokens, output_tokens);
}
