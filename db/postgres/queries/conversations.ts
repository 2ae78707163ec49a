import {
  type ConversationRow,
  FACET_GROUPS,
  type FacetGroup,
  facetsOf,
  toConversation,
} from "../../queries/conversation-row.ts";
import { shareReads } from "../../queries/share-reads.ts";
import { needsTotals } from "../../queries/totals.ts";
import type { Conversations, Facets } from "../../repositories.ts";
import type { RollupIndexer } from "../../rollup/rollup-store.ts";
import type { SearchIndexer } from "../../search/search-indexer.ts";
import type { Queries } from "../database.ts";
import { searchConversations } from "../search/search.ts";
import { countOpenAlerts } from "./alerts.ts";
import { countAwaiting } from "./confirmations.ts";
import { CONVERSATION_COLUMNS, listConversations } from "./list-conversations.ts";

/** The list of conversations (E4): last activity newest first, then by id. */
export function createConversations(
  queries: Queries,
  indexer: SearchIndexer,
  rollup: Pick<RollupIndexer, "settled">,
): Conversations {
  const read = async (id: string) =>
    (await queries.rows<ConversationRow>(`SELECT ${CONVERSATION_COLUMNS} FROM conversations WHERE id = $1`, [id])).at(
      0,
    );
  return {
    async get(id) {
      const row = await read(id);
      return row ? toConversation(row) : null;
    },
    async summary(id) {
      const row = await read(id);
      return row ? JSON.parse(row.summary) : null;
    },
    async list(query) {
      if (needsTotals(query)) await rollup.settled();
      if (!query.q?.trim()) return listConversations(queries, query, null);
      await indexer.settled();
      return searchConversations(queries, query);
    },
    facets: shareReads(() => readFacets(queries)),
  };
}

async function readFacets(queries: Queries): Promise<Facets> {
  const [groups, { waiting }, alerts] = await Promise.all([
    queries.rows<FacetGroup>(FACET_GROUPS),
    countAwaiting(queries),
    countOpenAlerts(queries),
  ]);
  return facetsOf(groups, { awaiting: waiting, alerts });
}
