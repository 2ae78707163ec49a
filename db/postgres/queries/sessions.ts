import { toBareView, toView } from "../../../lib/session/view.ts";
import { NotMade, OutOfRange } from "../../errors.ts";
import { SNAPSHOT_EVERY } from "../../log/transaction.ts";
import type { SnapshotKeeper } from "../../projections/snapshot-keeper.ts";
import type { Sessions, Tokens } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { lastStep, sessionAt } from "../projections/folded.ts";
import { TimelineChunks } from "../projections/timeline-chunks.ts";
import { searchSession } from "../search/search-session.ts";
import { readInferredEdges } from "./inferred-edges.ts";
import { exists } from "./select.ts";
import { readSimilarFailures } from "./similar-failures.ts";
import { readStateHistory } from "./state-history.ts";
import { nextStep, timelineBuckets, timelineRows } from "./timeline.ts";

/** Views, timelines and what is found in them (E8). They are folded in the main thread, from the nearest snapshot. */
export function createSessions(queries: Queries, snapshots: SnapshotKeeper): Sessions {
  /** Null: no such conversation. What an import or a fork has stored so far has steps, but is none yet. */
  async function ofConversation<T>(conversationId: string, read: () => Promise<T>): Promise<T | null> {
    if (!(await exists(queries, conversationId))) return null;
    try {
      return await read();
    } catch (error) {
      // What is not made yet is made from now on.
      if (error instanceof NotMade) snapshots.look(conversationId);
      throw error;
    }
  }
  const view: Sessions["view"] = (conversationId, at, { bare = false } = {}) =>
    ofConversation(conversationId, async () => {
      const last = await lastStep(queries, conversationId);
      if (at !== null && (at < 0 || at > last))
        throw new OutOfRange(`The session has steps 0 to ${last}; choose one of them`, last);
      const { session, folded } = await sessionAt(queries, conversationId, at ?? last);
      if (folded >= 2 * SNAPSHOT_EVERY) snapshots.look(conversationId);
      return JSON.stringify(bare ? toBareView(session, last) : toView(session, last));
    });
  const encoder = new TextEncoder();
  return {
    view,
    async viewBytes(...asked) {
      const text = await view(...asked);
      return text === null ? null : encoder.encode(text);
    },
    timeline: (conversationId, after, limit) =>
      ofConversation(conversationId, async () => {
        const chunks = await TimelineChunks.open(queries, conversationId);
        return JSON.stringify(await timelineRows(chunks, after, limit ?? null));
      }),
    timelineBuckets: (conversationId, range) =>
      ofConversation(conversationId, async () => {
        const chunks = await TimelineChunks.open(queries, conversationId);
        if (chunks.lacks) snapshots.look(conversationId);
        return JSON.stringify(await timelineBuckets(chunks, range));
      }),
    nextStep: (conversationId, asked) =>
      ofConversation(conversationId, async () =>
        nextStep(queries, await TimelineChunks.open(queries, conversationId), conversationId, asked),
      ),
    stateHistory: (conversationId, query) =>
      ofConversation(conversationId, () => readStateHistory(queries, conversationId, query)),
    inferredEdges: (conversationId, runId) =>
      ofConversation(conversationId, () => readInferredEdges(queries, conversationId, runId)),
    similarFailures: (conversationId, seq) =>
      ofConversation(conversationId, () => readSimilarFailures(queries, conversationId, seq)),
    tokens: (conversationId, range) => ofConversation(conversationId, () => readTokens(queries, conversationId, range)),
    search: (conversationId, query) =>
      ofConversation(conversationId, () => searchSession(queries, conversationId, query)),
  };
}

/** What models told of their tokens between two steps, both among them. */
async function readTokens(queries: Queries, id: string, { from, to }: { from: number; to: number }): Promise<Tokens> {
  const total = (name: string) => `coalesce(sum((payload::json ->> '${name}')::numeric), 0)::bigint AS ${name}`;
  const [tokens] = await queries.rows<Tokens>(
    `SELECT count(*) AS responses, ${total("input_tokens")}, ${total("output_tokens")}
     FROM events WHERE conversation_id = $1 AND seq >= $2 AND seq <= $3 AND type = 'model.responded'`,
    [id, from, to],
  );
  return tokens ?? { responses: 0, input_tokens: 0, output_tokens: 0 };
}
