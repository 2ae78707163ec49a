import { MOST_TOKENS } from "../../../lib/rollup/fold.ts";
import { toBareView, toView } from "../../../lib/session/view.ts";
import type { AlertRuleStore } from "../../alert-rules.ts";
import type { ErasureKind } from "../../erasures.ts";
import { OutOfRange } from "../../errors.ts";
import type { Sessions, Tokens } from "../../repositories.ts";
import type { RollupStore } from "../../rollup.ts";
import type { Database, Queries } from "../database.ts";
import { readErasureScope } from "../erasure/erasure-scope.ts";
import { lastStep, missingSnapshots, sessionAt } from "../projections/folded.ts";
import { TimelineChunks } from "../projections/timeline-chunks.ts";
import { readInferredEdges } from "../queries/inferred-edges.ts";
import { jsonIn } from "../queries/json-text.ts";
import { exists } from "../queries/select.ts";
import { readSessionMap } from "../queries/session-map.ts";
import { readSimilarFailures } from "../queries/similar-failures.ts";
import { readStateHistory } from "../queries/state-history.ts";
import { nextStep, timelineBuckets, timelineRows } from "../queries/timeline.ts";
import { readRollupBatch } from "../rollup/read-batch.ts";
import { readOverview, readTool, readTools, readVersions } from "../rollup/rollup-reads.ts";
import { readRuleHours } from "../rollup/rule-hours.ts";
import { searchSession } from "../search/search-session.ts";
import { readUnsearched } from "../search/unsearched.ts";

type Asked<Method extends keyof Sessions> = Parameters<Sessions[Method]>;

const encoder = new TextEncoder();

/**
 * What is read and then folded or searched in code, which may take long: done in a thread. The first argument is the
 * conversation's id; null: there is no such conversation. What an import or a fork has stored so far has steps, but is none yet.
 */
export function createSessionReads(queries: Database) {
  async function ofConversation<T>(conversationId: string, read: () => Promise<T>): Promise<T | null> {
    return (await exists(queries, conversationId)) ? read() : null;
  }
  return {
    /** The view as JSON in UTF-8, and how many events were folded for it. */
    view: (...[id, at, { bare = false } = {}]: Asked<"view">) =>
      ofConversation(id, async () => {
        const last = await lastStep(queries, id);
        if (at !== null && (at < 0 || at > last))
          throw new OutOfRange(`The session has steps 0 to ${last}; choose one of them`, last);
        const { session, folded } = await sessionAt(queries, id, at ?? last);
        const json = encoder.encode(JSON.stringify(bare ? toBareView(session, last) : toView(session, last)));
        return { json, folded };
      }),
    timeline: (...[id, after, limit]: Asked<"timeline">) =>
      ofConversation(id, async () => {
        const chunks = await TimelineChunks.open(queries, id);
        return JSON.stringify(await timelineRows(chunks, after, limit ?? null));
      }),
    /** The buckets as JSON, and whether parts of the timeline are missing. */
    timelineBuckets: (...[id, range]: Asked<"timelineBuckets">) =>
      ofConversation(id, async () => {
        const chunks = await TimelineChunks.open(queries, id);
        return { json: JSON.stringify(await timelineBuckets(chunks, range)), lacks: chunks.lacks };
      }),
    nextStep: (...[id, asked]: Asked<"nextStep">) =>
      ofConversation(id, async () => nextStep(queries, await TimelineChunks.open(queries, id), id, asked)),
    stateHistory: (...[id, query]: Asked<"stateHistory">) =>
      ofConversation(id, () => readStateHistory(queries, id, query)),
    map: (...[id]: Asked<"map">) => ofConversation(id, () => readSessionMap(queries, id)),
    inferredEdges: (...[id, runId]: Asked<"inferredEdges">) =>
      ofConversation(id, () => readInferredEdges(queries, id, runId)),
    similarFailures: (...[id, seq]: Asked<"similarFailures">) =>
      ofConversation(id, () => readSimilarFailures(queries, id, seq)),
    holds: (...[id, { run_id, call_id }]: Asked<"holds">) =>
      ofConversation(id, async () => {
        const found = await queries.rows(
          `SELECT 1 FROM events WHERE conversation_id = $1 AND run_id = $2
             AND ($3::text IS NULL OR call_id = $3) LIMIT 1`,
          [id, run_id, call_id],
        );
        if (found.length > 0) return true;
        if (call_id === null) return false;
        const { session } = await sessionAt(queries, id, await lastStep(queries, id));
        return session.calls.values().some((call) => call.id === call_id && call.run_id === run_id);
      }),
    tokens: (...[id, range]: Asked<"tokens">) => ofConversation(id, () => readTokens(queries, id, range)),
    search: (...[id, query]: Asked<"search">) => ofConversation(id, () => searchSession(queries, id, query)),
    /** See `ReadMissing` of the snapshot keeper. */
    missing: async (id: string, limit: number) => ({
      snapshots: await missingSnapshots(queries, id, limit),
      chunks: await (await TimelineChunks.open(queries, id)).missing(limit),
    }),
    unsearched: () => readUnsearched(queries),
    rollupBatch: () => readRollupBatch(queries),
    ruleHours: (...asked: Parameters<AlertRuleStore["measure"]>) => readRuleHours(queries, ...asked),
    overview: (...asked: Parameters<RollupStore["overview"]>) => readOverview(queries, ...asked),
    tools: (...asked: Parameters<RollupStore["tools"]>) => readTools(queries, ...asked),
    tool: (...asked: Parameters<RollupStore["tool"]>) => readTool(queries, ...asked),
    versions: (...asked: Parameters<RollupStore["versions"]>) => readVersions(queries, ...asked),
    async erasureScope(kind: ErasureKind, target: string) {
      const session = await queries.connect(0);
      try {
        return await readErasureScope(session, kind, target);
      } finally {
        await session.close();
      }
    },
  };
}

export type SessionReads = ReturnType<typeof createSessionReads>;

/** What models told of their tokens between two steps, both among them. */
async function readTokens(queries: Queries, id: string, { from, to }: { from: number; to: number }): Promise<Tokens> {
  const field = (name: string) => `${jsonIn("payload")} ->> '${name}'`;
  // The least of nothing and a number is the number.
  const total = (name: string) =>
    `coalesce(sum(least((${field(name)})::numeric, ${MOST_TOKENS})) FILTER (WHERE ${field(name)} IS NOT NULL), 0)::bigint AS ${name}`;
  const unreported = `(${field("input_tokens")} IS NULL AND ${field("output_tokens")} IS NULL)`;
  const [tokens] = await queries.rows<Tokens>(
    `SELECT count(*) AS responses, count(*) FILTER (WHERE ${unreported}) AS unreported, ${total("input_tokens")}, ${total("output_tokens")}
     FROM events WHERE conversation_id = $1 AND seq >= $2 AND seq <= $3
       AND (type = 'model.responded' OR (type = 'model.failed' AND NOT ${unreported}))`,
    [id, from, to],
  );
  return tokens ?? { responses: 0, unreported: 0, input_tokens: 0, output_tokens: 0 };
}
