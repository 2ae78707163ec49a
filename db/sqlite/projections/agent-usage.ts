import { isKnown, type SessionEvent } from "../../../lib/session/event.ts";
import type { UsageStore, UsedModel } from "../../access.ts";
import type { Connection } from "../connection.ts";
import type { Writes } from "../log/statements.ts";
import { toMs } from "../../times.ts";

/** Adds what a model of this server's own run has taken to its agent's day, in the transaction that tells of it. */
export function noteUsage(writes: Writes, event: SessionEvent): void {
  if (!isKnown(event) || event.type !== "model.responded") return;
  const { model = "", input_tokens = 0, output_tokens = 0 } = event.payload;
  const day = (event.occurred_at ?? event.recorded_at).slice(0, 10);
  writes.addUsage.run(day, event.agent_id ?? "", model, input_tokens, output_tokens);
}

/** What agents have used, by day. */
export function createUsageStore(connection: Connection): UsageStore {
  const used = connection.prepare<[agent: string, day: string], UsedModel>(
    "SELECT model, input_tokens, output_tokens FROM agent_usage WHERE agent_id = ? AND day = ?",
  );
  const alerted = connection
    .prepare<[agent: string, reason: string, since: number], 1>(
      `SELECT 1 FROM alerts JOIN events ON events.position = alerts.position
       WHERE coalesce(events.agent_id, '') = ? AND alerts.reason = ? AND alerts.created_at >= ? LIMIT 1`,
    )
    .pluck();
  return {
    of: async (agentId, day) => used.all(agentId, day),
    wasAlerted: async (agentId, reason, since) => alerted.get(agentId, reason, toMs(since)) !== undefined,
  };
}
