import { isDeepStrictEqual } from "node:util";
import { inflateSync } from "node:zlib";
import { emptySession, fold } from "../../../lib/session/reducer/reducer.ts";
import { REDUCER_VERSION, takeSnapshot } from "../../../lib/session/reducer/snapshot.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import type { Connection } from "../connection.ts";
import { type Check, counted, type Faults } from "./check-context.ts";

/** How many randomly chosen conversations are checked, unless all are. */
const SAMPLE = 25;

/** Snapshots equal the result of reducing the log from the first step (E8). */
export const checkSnapshots: Check = {
  name: "snapshots",
  remedy: "Stop Obelus and run npm run rebuild; snapshots are rebuilt when needed.",
  run({ connection, allSnapshots, tell }, faults) {
    const ids = connection
      .prepare<[number, number], string>(
        `SELECT conversation_id FROM (SELECT DISTINCT conversation_id FROM snapshots WHERE reducer_version = ?)
         ORDER BY random() LIMIT ?`,
      )
      .pluck()
      .all(REDUCER_VERSION, allSnapshots ? -1 : SAMPLE);
    let snapshots = 0;
    for (const [index, id] of ids.entries()) {
      tell(`${index + 1} of ${counted(ids.length, "conversation")}`);
      snapshots += compareOne(connection, id, faults);
    }
    return `${counted(snapshots, "snapshot")} of ${counted(ids.length, "conversation")}${allSnapshots ? "" : ", a sample"}`;
  },
};

/** Reduces a conversation once and compares it at each snapshot; returns the number of snapshots. */
function compareOne(connection: Connection, id: string, faults: Faults): number {
  const snapshots = connection
    .prepare<[string, number], { seq: number; session: Buffer }>(
      "SELECT seq, session FROM snapshots WHERE conversation_id = ? AND reducer_version = ? ORDER BY seq",
    )
    .iterate(id, REDUCER_VERSION);
  const events = connection.prepare<[string, number, number], EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = ? AND seq > ? AND seq <= ? ORDER BY seq`,
  );
  let session = emptySession(id);
  let count = 0;
  for (const { seq, session: stored } of snapshots) {
    session = fold(session, events.all(id, session.at, seq).map(toEvent));
    count += 1;
    if (!isSame(stored, takeSnapshot(session))) faults.add(`${id}: the snapshot of step ${seq} differs from the log`);
  }
  return count;
}

function isSame(stored: Buffer, folded: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(inflateSync(stored).toString()), JSON.parse(folded));
  } catch {
    return false;
  }
}
