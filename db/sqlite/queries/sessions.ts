import { NotMade } from "../../errors.ts";
import type { SnapshotKeeper } from "../../projections/snapshot-keeper.ts";
import type { Sessions } from "../../repositories.ts";
import { FAR } from "../readers/reader.ts";
import type { ReaderPool } from "../readers/reader-pool.ts";

/** Views, timelines and searches in them, read in reader threads (E8). */
export function createSessions(readers: ReaderPool, snapshots: SnapshotKeeper): Sessions {
  /** Missing parts are created in the background. */
  async function made<Value>(conversationId: string, read: Promise<Value>): Promise<Value> {
    try {
      return await read;
    } catch (error) {
      if (error instanceof NotMade) snapshots.ask(conversationId);
      throw error;
    }
  }
  async function viewBytes(conversationId: string, at: number | null, { bare = false } = {}) {
    const near = await readers.call("view", conversationId, at, bare);
    if (near === FAR) snapshots.ask(conversationId);
    const view = near === FAR ? await readers.call("slowView", conversationId, at, bare) : near;
    if (view?.lacksSnapshots) snapshots.ask(conversationId);
    return view?.json ?? null;
  }
  const decoder = new TextDecoder();
  return {
    async view(...asked) {
      const bytes = await viewBytes(...asked);
      return bytes && decoder.decode(bytes);
    },
    viewBytes,
    timeline: (conversationId, after, limit) =>
      limit === undefined
        ? readers.call("timeline", conversationId, after)
        : made(conversationId, readers.call("timelinePart", conversationId, after, limit)),
    async timelineBuckets(conversationId, range) {
      const buckets = await readers.call("timelineBuckets", conversationId, range);
      if (buckets?.lacksChunks) snapshots.ask(conversationId);
      return buckets?.json ?? null;
    },
    nextStep: (conversationId, { at, unit, direction }) =>
      made(conversationId, readers.call("nextStep", conversationId, at, unit, direction)),
    stateHistory: (conversationId, query) => readers.call("stateHistory", conversationId, query),
    inferredEdges: (conversationId, runId) => readers.call("inferredEdges", conversationId, runId),
    map: (conversationId) => readers.call("sessionMap", conversationId),
    similarFailures: (conversationId, seq) => readers.call("similarFailures", conversationId, seq),
    holds: (conversationId, { run_id, call_id }) => readers.call("holds", conversationId, run_id, call_id),
    tokens: (conversationId, { from, to }) => readers.call("tokensBetween", conversationId, from, to),
    search: (conversationId, query) => readers.call("searchSession", conversationId, query),
  };
}
