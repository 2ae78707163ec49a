import type { Sessions } from "../repositories.ts";
import type { ReaderPool } from "./reader-pool.ts";
import type { SnapshotKeeper } from "./snapshot-keeper.ts";

/** Views and timelines, read in threads of their own (E8). */
export function createSessions(readers: ReaderPool, snapshots: SnapshotKeeper): Sessions {
  return {
    async view(conversationId, at) {
      const view = await readers.call("view", conversationId, at);
      if (view?.lacksSnapshots) snapshots.look(conversationId);
      return view?.json ?? null;
    },
    timeline: (conversationId, after) => readers.call("timeline", conversationId, after),
  };
}
