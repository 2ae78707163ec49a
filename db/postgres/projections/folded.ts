import { constants, deflateSync, inflateSync } from "node:zlib";
import { emptySession, fold } from "../../../lib/session/reducer/reducer.ts";
import { REDUCER_VERSION, readSnapshot, takeSnapshot } from "../../../lib/session/reducer/snapshot.ts";
import type { Session } from "../../../lib/session/session.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import { SNAPSHOT_EVERY } from "../../log/transaction.ts";
import { MESSAGES_OF_SNAPSHOT, SNAPSHOT_BYTES, SNAPSHOT_STRIDE, type Snapshot } from "../../projections/snapshot.ts";
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
  const last = await lastStep(queries, conversationId);
  const snapshots: Snapshot[] = [];
  let session = await nearest(queries, conversationId, last);
  let newest = session.at;
  let bytes = 0;
  for (let seq = newest + SNAPSHOT_STRIDE; seq <= last && snapshots.length < limit; seq += SNAPSHOT_STRIDE) {
    bytes += await bytesBetween(queries, conversationId, session.at, seq);
    session = await foldTo(queries, session, seq);
    if (seq - newest < SNAPSHOT_EVERY && bytes < SNAPSHOT_BYTES) continue;
    snapshots.push({ seq, session: deflateSync(takeSnapshot(session), { level: constants.Z_BEST_SPEED }) });
    newest = seq;
    bytes = 0;
  }
  return snapshots;
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

async function bytesBetween(queries: Queries, id: string, after: number, to: number): Promise<number> {
  const [row] = await queries.rows<{ bytes: number | null }>(
    "SELECT sum(octet_length(payload))::bigint AS bytes FROM events WHERE conversation_id = $1 AND seq > $2 AND seq <= $3",
    [id, after, to],
  );
  return row?.bytes ?? 0;
}
