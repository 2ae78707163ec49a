import { NotMade } from "../../errors.ts";
import { SNAPSHOT_EVERY } from "../../projections/snapshot.ts";
import type { SnapshotKeeper } from "../../projections/snapshot-keeper.ts";
import type { Sessions } from "../../repositories.ts";
import type { ReaderThreads } from "../readers/reader-threads.ts";

const decoder = new TextDecoder();

/** Views, timelines and what is found in them (E8), folded in a thread from the nearest snapshot. */
export function createSessions(readers: ReaderThreads, snapshots: SnapshotKeeper): Sessions {
  /** What is not made yet is made from now on. */
  async function looking<T>(conversationId: string, read: Promise<T>): Promise<T> {
    try {
      return await read;
    } catch (error) {
      if (error instanceof NotMade) snapshots.ask(conversationId);
      throw error;
    }
  }
  const viewBytes: Sessions["viewBytes"] = async (id, ...asked) => {
    const view = await readers.call("view", id, ...asked);
    if (view === null) return null;
    if (view.folded >= 2 * SNAPSHOT_EVERY) snapshots.ask(id);
    return view.json;
  };
  return {
    viewBytes,
    async view(...asked) {
      const bytes = await viewBytes(...asked);
      return bytes === null ? null : decoder.decode(bytes);
    },
    timeline: (id, ...asked) => looking(id, readers.call("timeline", id, ...asked)),
    async timelineBuckets(id, range) {
      const read = await looking(id, readers.call("timelineBuckets", id, range));
      if (read?.lacks) snapshots.ask(id);
      return read?.json ?? null;
    },
    nextStep: (id, asked) => looking(id, readers.call("nextStep", id, asked)),
    stateHistory: (id, query) => looking(id, readers.call("stateHistory", id, query)),
    inferredEdges: (id, runId) => looking(id, readers.call("inferredEdges", id, runId)),
    map: (id) => readers.call("map", id),
    similarFailures: (id, seq) => looking(id, readers.call("similarFailures", id, seq)),
    holds: (id, part) => readers.call("holds", id, part),
    tokens: (id, range) => readers.call("tokens", id, range),
    search: (id, query) => readers.call("search", id, query),
  };
}
