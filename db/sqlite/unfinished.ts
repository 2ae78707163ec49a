import { placesOf } from "../search/search-place.ts";
import type { Connection } from "./connection.ts";

/** Whether an event is agents' state, which outlives its conversation; a fork's history has copies of such. As SQL. */
export const IS_STANDING_STATE = "position >= 0 AND type IN ('agent_state.written', 'agent_state.deleted')";

/** Removes what forks, an import and the retention left behind that were cut off by the end of the process (E9, E11). */
export function removeUnfinished(connection: Connection): void {
  const ids = "(SELECT conversation_id FROM unfinished_forks)";
  const events = `(position >= (SELECT position FROM unfinished_forks WHERE conversation_id = '')
    OR conversation_id IN ${ids})`;
  const left = connection.prepare<[], number>("SELECT position FROM unfinished_forks").pluck();
  const forgetSearched = connection.prepare<[first: bigint, last: bigint]>(
    "DELETE FROM event_search WHERE rowid BETWEEN ? AND ?",
  );
  connection.transaction(() => {
    const positions = left.all();
    if (positions.length === 0) return;
    for (const position of positions) forgetSearched.run(...placesOf(position));
    connection.exec(`
      UPDATE events SET conversation_id = NULL, seq = 0 WHERE conversation_id IN ${ids} AND ${IS_STANDING_STATE};
      DELETE FROM run_owners WHERE run_id IN (SELECT run_id FROM events
        WHERE conversation_id IN ${ids} AND type = 'run.started' AND origin = 'engine');
      DELETE FROM messages WHERE ${events};
      DELETE FROM snapshots WHERE conversation_id IN ${ids};
      DELETE FROM timeline_chunks WHERE conversation_id IN ${ids};
      DELETE FROM events WHERE ${events};
      DELETE FROM unfinished_forks;
    `);
  })();
}
