import type { HourRow } from "../../../lib/alert-rules/evaluate.ts";
import type { ReviewedScore } from "../../../lib/scores/agreement.ts";
import type { SessionEvent } from "../../../lib/session/event.ts";
import { toBareView, toView } from "../../../lib/session/view.ts";
import type { AlertRuleStore } from "../../alert-rules.ts";
import type { ErasureScope } from "../../erasure/erasure-scope.ts";
import type { ErasureKind } from "../../erasures.ts";
import { OutOfRange } from "../../errors.ts";
import { SNAPSHOT_EVERY, type Snapshot } from "../../projections/snapshot.ts";
import type { StoredChunk } from "../../projections/timeline-chunk.ts";
import type {
  ConversationPage,
  ConversationQuery,
  Facets,
  FoundUnit,
  InferredEdges,
  PathHistory,
  QueueCounts,
  SessionSearch,
  Sessions,
  SimilarFailures,
  Tokens,
} from "../../repositories.ts";
import type { RollupBatch } from "../../rollup/batch.ts";
import type { CountedOverview, CountedToolReport, CountedVersions, RollupStore } from "../../rollup.ts";
import type { Unsearched } from "../../search/unsearched.ts";
import type { Connection } from "../connection.ts";
import { readErasureScope } from "../erasure/erasure-scope.ts";
import { eventsOfType } from "../log/events.ts";
import { SessionCache } from "../projections/session-cache.ts";
import { TimelineChunks } from "../projections/timeline-chunks.ts";
import { listConversations, readFacets } from "../queries/conversations.ts";
import { readInferredEdges } from "../queries/inferred-edges.ts";
import { readQueueCounts } from "../queries/queue.ts";
import { readReviewed } from "../queries/scores.ts";
import { readSessionMap } from "../queries/session-map.ts";
import { readSimilarFailures } from "../queries/similar-failures.ts";
import { readStateHistory } from "../queries/state-history.ts";
import { Timelines } from "../queries/timeline.ts";
import { readTokens } from "../queries/tokens.ts";
import { readRollupBatch } from "../rollup/read-batch.ts";
import { readOverview, readTool, readTools, readVersions } from "../rollup/rollup-reads.ts";
import { readRuleHours } from "../rollup/rule-hours.ts";
import { searchConversations } from "../search/search.ts";
import { searchSession } from "../search/search-session.ts";
import { readUnsearched } from "../search/unsearched.ts";

interface ReadView {
  /** UTF-8, ready to be sent; transferred between threads. */
  json: Uint8Array<ArrayBuffer>;
  lacksSnapshots: boolean;
}

/**
 * So many events have to be reduced for the view that it takes long: the session arrived at once, or an update dropped
 * its snapshots.
 */
export const FAR = "far";
const FAR_STEPS = 20_000;

/** The slow reads of a reader thread. Arguments and results are copied between threads. */
export interface Reader {
  /**
   * A view, full or bare, as JSON bytes, and whether snapshots are missing that would have made it fast; `FAR` if it
   * would take long. Throws `OutOfRange`.
   */
  view(conversationId: string, at: number | null, bare: boolean): ReadView | typeof FAR | null;
  /** The same, however many events have to be reduced. */
  slowView(conversationId: string, at: number | null, bare: boolean): ReadView | null;
  timeline(conversationId: string, after: number): string | null;
  timelinePart(conversationId: string, after: number, limit: number): string | null;
  /** As JSON, and whether chunks are missing that would have made it fast. */
  timelineBuckets(
    conversationId: string,
    range: Parameters<Sessions["timelineBuckets"]>[1],
  ): { json: string; lacksChunks: boolean } | null;
  nextStep(conversationId: string, at: number, unit: FoundUnit, direction: 1 | -1): number | null;
  list(query: ConversationQuery): ConversationPage;
  search(query: ConversationQuery): ConversationPage;
  unsearched(): Unsearched | null;
  searchSession(conversationId: string, query: Parameters<Sessions["search"]>[1]): SessionSearch | null;
  stateHistory(conversationId: string, query: Parameters<Sessions["stateHistory"]>[1]): PathHistory | null;
  inferredEdges(conversationId: string, runId: string | null): InferredEdges | null;
  sessionMap(conversationId: string): string | null;
  similarFailures(conversationId: string, seq: number): SimilarFailures | null;
  holds(conversationId: string, runId: string, callId: string | null): boolean | null;
  tokensBetween(conversationId: string, from: number, to: number): Tokens | null;
  facets(): Facets;
  queueCounts(me: string, now: number): QueueCounts;
  eventsOfType(conversationId: string, type: string, after: number, limit: number): SessionEvent[];
  /** The missing snapshots and chunks of a session, at most `limit` of each, oldest first. */
  missing(conversationId: string, limit: number): { snapshots: Snapshot[]; chunks: StoredChunk[] };
  erasureScope(kind: ErasureKind, target: string): ErasureScope;
  rollupBatch(): RollupBatch | null;
  ruleHours(...asked: Parameters<AlertRuleStore["measure"]>): HourRow[][];
  overview(...asked: Parameters<RollupStore["overview"]>): CountedOverview;
  tools(...asked: Parameters<RollupStore["tools"]>): Awaited<ReturnType<RollupStore["tools"]>>;
  tool(...asked: Parameters<RollupStore["tool"]>): CountedToolReport | null;
  versions(...asked: Parameters<RollupStore["versions"]>): CountedVersions;
  reviewed(since: number): ReviewedScore[];
}

/** A reader with its own connection. */
export function createReader(connection: Connection): Reader {
  const folded = new SessionCache(connection);
  const encoder = new TextEncoder();
  const chunks = new TimelineChunks(connection);
  const timelines = new Timelines(connection, chunks);
  const exists = connection.prepare<[string]>("SELECT 1 FROM conversations WHERE id = ?");
  const events = connection.prepare<[{ conversationId: string; runId: string; callId: string | null }]>(
    `SELECT 1 FROM events WHERE conversation_id = :conversationId AND run_id = :runId
       AND (:callId IS NULL OR call_id = :callId) LIMIT 1`,
  );
  const slowView: Reader["slowView"] = (conversationId, at, bare) => {
    // An incomplete import or fork has steps, but is not visible yet.
    if (!exists.get(conversationId)) return null;
    const last = folded.last(conversationId);
    if (at !== null && (at < 0 || at > last))
      throw new OutOfRange(`The session has steps 0 to ${last}; choose one of them`, last);
    const { session, folded: count } = folded.at(conversationId, at ?? last);
    const view = bare ? toBareView(session, last) : toView(session, last);
    // Sessions of earlier versions have a snapshot every 1,000 steps, which is near enough.
    return { json: encoder.encode(JSON.stringify(view)), lacksSnapshots: count >= 2 * SNAPSHOT_EVERY };
  };
  return {
    view(conversationId, at, bare) {
      const isFar = folded.distance(conversationId, at ?? folded.last(conversationId)) > FAR_STEPS;
      return isFar ? FAR : slowView(conversationId, at, bare);
    },
    slowView,
    timeline(conversationId, after) {
      const timeline = timelines.rows(conversationId, after, null);
      return timeline && JSON.stringify(timeline);
    },
    timelinePart(conversationId, after, limit) {
      const part = timelines.rows(conversationId, after, limit);
      return part && JSON.stringify(part);
    },
    timelineBuckets(conversationId, range) {
      const buckets = timelines.buckets(conversationId, range);
      return buckets && { json: JSON.stringify(buckets), lacksChunks: timelines.lacks(conversationId) };
    },
    nextStep: (...asked) => timelines.next(...asked),
    list: (query) => listConversations(connection, query, null),
    search: (query) => searchConversations(connection, query),
    unsearched: () => readUnsearched(connection),
    searchSession: (conversationId, query) => searchSession(connection, conversationId, query),
    stateHistory: (conversationId, query) => readStateHistory(connection, conversationId, query),
    inferredEdges: (conversationId, runId) => readInferredEdges(connection, chunks, conversationId, runId),
    sessionMap: (conversationId) => readSessionMap(connection, conversationId),
    similarFailures: (conversationId, seq) => readSimilarFailures(connection, conversationId, seq),
    holds(conversationId, runId, callId) {
      if (!exists.get(conversationId)) return null;
      if (events.get({ conversationId, runId, callId })) return true;
      if (callId === null) return false;
      const { calls } = folded.at(conversationId, folded.last(conversationId)).session;
      return calls.values().some(({ id, run_id }) => id === callId && run_id === runId);
    },
    tokensBetween: (...range) => readTokens(connection, ...range),
    facets: () => readFacets(connection),
    queueCounts: (me, now) => readQueueCounts(connection, me, now),
    eventsOfType: (...page) => eventsOfType(connection, chunks, ...page),
    missing: (conversationId, limit) => ({
      snapshots: folded.missingSnapshots(conversationId, limit),
      chunks: chunks.missing(conversationId, limit),
    }),
    erasureScope: (...asked) => readErasureScope(connection, ...asked),
    rollupBatch: () => readRollupBatch(connection),
    ruleHours: (...asked) => readRuleHours(connection, ...asked),
    overview: (...asked) => readOverview(connection, ...asked),
    tools: (...asked) => readTools(connection, ...asked),
    tool: (...asked) => readTool(connection, ...asked),
    versions: (...asked) => readVersions(connection, ...asked),
    reviewed: (since) => readReviewed(connection, since),
  };
}
