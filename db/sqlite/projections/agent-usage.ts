import type { UsageStore, UsedModel } from "../../access.ts";
import { toMs } from "../../times.ts";
import type { Connection } from "../connection.ts";

/** Token usage of agents by day. */
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
