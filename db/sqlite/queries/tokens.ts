import { MOST_TOKENS } from "../../../lib/rollup/fold.ts";
import type { Tokens } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

const UNREPORTED = "(payload ->> '$.input_tokens' IS NULL AND payload ->> '$.output_tokens' IS NULL)";

const total = (name: string) => `cast(total(min(payload ->> '$.${name}', ${MOST_TOKENS})) AS INTEGER) AS ${name}`;

/** The token usage reported by models between two steps, inclusive. Null: no such conversation. */
export function readTokens(connection: Connection, conversationId: string, from: number, to: number): Tokens | null {
  const exists = connection.prepare<[string]>("SELECT 1 FROM conversations WHERE id = ?").get(conversationId);
  if (!exists) return null;
  const tokens = connection
    .prepare<[string, number, number], Tokens>(
      `SELECT count(*) AS responses, coalesce(sum(${UNREPORTED}), 0) AS unreported, ${total("input_tokens")}, ${total("output_tokens")}
       FROM events WHERE conversation_id = ? AND seq >= ? AND seq <= ?
         AND (type = 'model.responded' OR (type = 'model.failed' AND NOT ${UNREPORTED}))`,
    )
    .get(conversationId, from, to);
  return tokens ?? { responses: 0, unreported: 0, input_tokens: 0, output_tokens: 0 };
}
