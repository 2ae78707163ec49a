import type { UsageStore, UsedModel } from "../../access.ts";
import { toMs } from "../../times.ts";
import type { Queries } from "../database.ts";

/** What agents have used, by day. */
export function createUsageStore(queries: Queries): UsageStore {
  return {
    of: (agentId, day) =>
      queries.rows<UsedModel>(
        "SELECT model, input_tokens, output_tokens FROM agent_usage WHERE agent_id = $1 AND day = $2",
        [agentId, day],
      ),
    async wasAlerted(agentId, reason, since) {
      const found = await queries.rows(
        `SELECT 1 FROM alerts JOIN events ON events.position = alerts.position
         WHERE coalesce(events.agent_id, '') = $1 AND alerts.reason = $2 AND alerts.created_at >= $3 LIMIT 1`,
        [agentId, reason, toMs(since)],
      );
      return found.length > 0;
    },
  };
}
