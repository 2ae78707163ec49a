import { hitIn, searchWordsOf } from "../../../lib/session/find/search-hit.ts";
import { type Sql, sql } from "../../queries/sql.ts";
import type { ConversationPage, ConversationQuery } from "../../repositories.ts";
import { stepOf, WITHIN_BITS } from "../../search/search-place.ts";
import type { Queries } from "../database.ts";
import { listConversations } from "../queries/list-conversations.ts";
import { countUnsearched } from "./unsearched.ts";
import { queryOf } from "./words.ts";

interface HitRow {
  id: string;
  within: number;
}

/**
 * Conversations that `q` finds (E14): in a message or any other event, in the title, or by id. Each tells the newest message
 * that it was found in, or the newest other event where no message has the words.
 */
export async function searchConversations(queries: Queries, query: ConversationQuery): Promise<ConversationPage> {
  const behind = await countUnsearched(queries);
  const wanted = queryOf(query.q ?? "");
  // Checks the cursor also where nothing can be found.
  const page = await listConversations(queries, query, wanted === null ? sql`false` : isFound(wanted));
  const steps =
    wanted === null
      ? new Map<string, number>()
      : await newestSteps(
          queries,
          wanted,
          page.items.map(({ id }) => id),
        );
  const words = searchWordsOf(query.q ?? "");
  const items = await Promise.all(
    page.items.map(async (conversation) => {
      const seq = steps.get(conversation.id);
      return seq === undefined
        ? conversation
        : { ...conversation, hit: await readHit(queries, conversation.id, seq, words) };
    }),
  );
  return { ...page, items, ...(behind > 0 && { behind }) };
}

const CONVERSATION_OF_PLACE = `(place >> ${WITHIN_BITS})`;
const WITHIN_CONVERSATION = `(place & ${(1n << WITHIN_BITS) - 1n})`;

function isFound(wanted: string): Sql {
  return sql`position IN (SELECT ${{ text: CONVERSATION_OF_PLACE, values: [] }} FROM event_search
      WHERE words @@ ${wanted}::tsquery)
    OR title_words @@ ${wanted}::tsquery`;
}

/** The step of each of the conversations that is shown, by id. */
async function newestSteps(queries: Queries, wanted: string, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await queries.rows<HitRow>(
    `SELECT conversations.id, max(${WITHIN_CONVERSATION}) AS within
     FROM event_search JOIN conversations ON conversations.position = ${CONVERSATION_OF_PLACE}
     WHERE words @@ $1::tsquery AND conversations.id = ANY($2) GROUP BY conversations.id`,
    [wanted, ids],
  );
  return new Map(rows.map(({ id, within }) => [id, stepOf(within)]));
}

async function readHit(queries: Queries, conversationId: string, seq: number, words: readonly string[]) {
  const [row] = await queries.rows<{ type: string; payload: string }>(
    "SELECT type, payload FROM events WHERE conversation_id = $1 AND seq = $2",
    [conversationId, seq],
  );
  if (!row) throw new Error(`The search found step ${seq} of ${conversationId}, which is not in the log`);
  return hitIn({ seq, type: row.type, payload: JSON.parse(row.payload) }, words);
}
