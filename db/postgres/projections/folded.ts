import { constants, deflateSync, inflateSync } from "node:zlib";
import { emptySession, fold } from "../../../lib/session/reducer/reducer.ts";
import { REDUCER_VERSION, readSnapshot, takeSnapshot } from "../../../lib/session/reducer/snapshot.ts";
import type { Session } from "../../../lib/session/session.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import { isSnapshotDue, MESSAGES_OF_SNAPSHOT, SNAPSHOT_STRIDE, type Snapshot } from "../../projections/snapshot.ts";
import type { Queries } from "../database.ts";
import { newestMessages } from "../queries/messages.ts";

/** The last step of a conversation; 0 when there is no such conversation. */
export async function lastStep(queries: Queries, conversationId: string): Promise<number> {
  const [row] = await queries.rows<{ seq: number | null }>(
    "SELECT max(seq) AS seq FROM events WHERE conversation_id = $1",
    [conversationId],
  );
  return row?.seq ?? 0;
}

/** The session after a step that it has, folded from the nearest snapshot, and how many events had to be folded for it. */
export async function sessionAt(
  queries: Queries,
  conversationId: string,
  at: number,
): Promise<{ session: Session; folded: number }> {
  const base = await nearest(queries, conversationId, at);
  return { session: await foldTo(queries, base, at), folded: at - base.at };
}

/** The snapshots that a session lacks after its newest one, at most `limit`, oldest first. */
export async function missingSnapshots(queries: Queries, conversationId: string, limit: number): Promise<Snapshot[]> {
  const [stored] = await queries.rows<{ seq: number; size: number }>(
    `SELECT seq, octet_length(session) AS size FROM snapshots WHERE conversation_id = $1 AND reducer_version = $2
     ORDER BY seq DESC LIMIT 1`,
    [conversationId, REDUCER_VERSION],
  );
  let { seq: newest, size } = stored ?? { seq: 0, size: 0 };
  const snapshots: Snapshot[] = [];
  let bytes = 0;
  let session: Session | null = null;
  for (const part of await stridesAfter(queries, conversationId, newest)) {
    bytes += part.bytes;
    if (snapshots.length === limit || !isSnapshotDue({ steps: part.seq - newest, bytes }, size)) continue;
    session = await foldTo(queries, session ?? (await nearest(queries, conversationId, newest)), part.seq);
    const deflated = deflateSync(takeSnapshot(session), { level: constants.Z_BEST_SPEED });
    snapshots.push({ seq: part.seq, session: deflated });
    newest = part.seq;
    size = deflated.length;
    bytes = 0;
  }
  return snapshots;
}

/** The last steps of the whole strides after a snapshot, and how many bytes of payloads each has. */
function stridesAfter(queries: Queries, id: string, after: number): Promise<{ seq: number; bytes: number }[]> {
  return queries.rows(
    `SELECT max(seq) AS seq, sum(octet_length(payload))::bigint AS bytes FROM events
     WHERE conversation_id = $1 AND seq > $2 GROUP BY (seq - 1) / $3 HAVING count(*) = $3 ORDER BY 1`,
    [id, after, SNAPSHOT_STRIDE],
  );
}

/** The newest snapshot up to a step, or the beginning. */
async function nearest(queries: Queries, conversationId: string, at: number): Promise<Session> {
  const [snapshot] = await queries.rows<{ seq: number; session: Buffer }>(
    `SELECT seq, session FROM snapshots WHERE conversation_id = $1 AND seq <= $2 AND reducer_version = $3
     ORDER BY seq DESC LIMIT 1`,
    [conversationId, at, REDUCER_VERSION],
  );
  if (!snapshot) return emptySession(conversationId);
  const messages = await newestMessages(queries, conversationId, snapshot.seq, MESSAGES_OF_SNAPSHOT);
  return readSnapshot(inflateSync(snapshot.session).toString(), messages);
}

async function foldTo(queries: Queries, from: Session, at: number): Promise<Session> {
  let session = from;
  while (session.at < at) {
    const rows = await queries.rows<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq`,
      [session.conversation_id, session.at, Math.min(at, session.at + SNAPSHOT_STRIDE)],
    );
    if (rows.length === 0) throw new Error(`The log of ${session.conversation_id} has no step ${session.at + 1}`);
    session = fold(session, rows.map(toEvent));
  }
  return session;
}
