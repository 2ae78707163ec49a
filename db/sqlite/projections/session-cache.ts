import { constants, deflateSync, inflateSync } from "node:zlib";
import { emptySession, fold } from "../../../lib/session/reducer/reducer.ts";
import { REDUCER_VERSION, readSnapshot, takeSnapshot } from "../../../lib/session/reducer/snapshot.ts";
import type { Session } from "../../../lib/session/session.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import { isSnapshotDue, MESSAGES_OF_SNAPSHOT, SNAPSHOT_STRIDE, type Snapshot } from "../../projections/snapshot.ts";
import type { Connection } from "../connection.ts";
import { newestMessages } from "../queries/messages.ts";

// Live sessions are reduced further from here. In memory a session takes several times the length of its text.
const KEPT_SESSIONS = 8;
const KEPT_BYTES = 4_000_000;
const MEASURED_AGAIN_BYTES = 1_000_000;

/**
 * A cached session, with the approximate length of its text: that of the nearest snapshot before it, and of the events
 * since.
 */
interface CachedSession {
  session: Session;
  bytes: number;
  since: number;
}

/** Sessions reduced from the log, each from the nearest of: a cached one, a snapshot, the start. */
export class SessionCache {
  readonly #reads: ReturnType<typeof prepareReads>;
  /** The cache, least recently used first. Sessions are immutable, so they can be reduced further. */
  readonly #kept: CachedSession[] = [];

  constructor(connection: Connection) {
    this.#reads = prepareReads(connection);
  }

  /** The last step of a conversation; 0 if it does not exist. */
  last(conversationId: string): number {
    return this.#reads.last.get(conversationId) ?? 0;
  }

  /** The session after an existing step, and how many events were reduced for it. */
  at(conversationId: string, at: number): { session: Session; folded: number } {
    const base = this.#nearest(conversationId, at);
    const folded = this.#foldTo(base, conversationId, at);
    this.#keep(folded);
    return { session: folded.session, folded: at - base.session.at };
  }

  /** How many events have to be reduced for it, if it is not cached. */
  distance(conversationId: string, at: number): number {
    const kept = this.#kept.filter(({ session }) => session.conversation_id === conversationId && session.at <= at);
    return at - Math.max(this.#snapshotSeq(conversationId, at), ...kept.map(({ session }) => session.at));
  }

  /** The snapshots missing after the newest one, at most `limit`, oldest first. */
  missingSnapshots(conversationId: string, limit: number): Snapshot[] {
    const last = this.last(conversationId);
    const snapshots: Snapshot[] = [];
    let newest = this.#snapshotSeq(conversationId, last);
    let size = this.#reads.snapshotSize.get(conversationId, newest) ?? 0;
    let bytes = 0;
    let folded: CachedSession | null = null;
    for (let seq = newest + SNAPSHOT_STRIDE; seq <= last && snapshots.length < limit; seq += SNAPSHOT_STRIDE) {
      bytes += this.#reads.bytes.get(conversationId, seq - SNAPSHOT_STRIDE, seq) ?? 0;
      if (!isSnapshotDue({ steps: seq - newest, bytes }, size)) continue;
      const { session } = this.#foldTo(folded ?? this.#nearest(conversationId, seq), conversationId, seq);
      const text = takeSnapshot(session);
      const deflated = deflateSync(text, { level: constants.Z_BEST_SPEED });
      snapshots.push({ seq, session: deflated });
      folded = { session, bytes: text.length, since: 0 };
      newest = seq;
      size = deflated.length;
      bytes = 0;
    }
    if (folded) this.#keep(folded);
    return snapshots;
  }

  #nearest(conversationId: string, at: number): CachedSession {
    const snapshotSeq = this.#snapshotSeq(conversationId, at);
    const kept = this.#kept
      .filter(({ session }) => session.conversation_id === conversationId)
      .filter(({ session }) => session.at <= at && session.at >= snapshotSeq)
      .reduce<CachedSession | null>((best, one) => (best && best.session.at > one.session.at ? best : one), null);
    if (kept) return kept;
    const snapshot = this.#reads.snapshot.get(conversationId, snapshotSeq);
    if (!snapshot) return { session: emptySession(conversationId), bytes: 0, since: 0 };
    const text = inflateSync(snapshot).toString();
    const messages = this.#reads.messages(conversationId, snapshotSeq, MESSAGES_OF_SNAPSHOT);
    return { session: readSnapshot(text, messages), bytes: text.length, since: 0 };
  }

  #snapshotSeq(conversationId: string, at: number): number {
    return this.#reads.snapshotSeq.get(conversationId, at, REDUCER_VERSION) ?? 0;
  }

  #foldTo({ session, bytes, since }: CachedSession, conversationId: string, at: number): CachedSession {
    let read = since;
    const events = Iterator.from(this.#reads.events.iterate(conversationId, session.at, at)).map((row) => {
      read += row.payload.length;
      return toEvent(row);
    });
    // At once: a fold copies what it changes, and of a plan of ten thousand calls that is much.
    const folded = fold(session, events);
    if (folded.at < at) throw new Error(`The log of ${conversationId} has no step ${folded.at + 1}`);
    return { session: folded, bytes, since: read };
  }

  #keep({ session, bytes, since }: CachedSession): void {
    const index = this.#kept.findIndex(
      (other) => other.session.conversation_id === session.conversation_id && other.session.at === session.at,
    );
    if (index >= 0) this.#kept.splice(index, 1);
    // Much of what is reduced replaces what was there, so the size is measured again now and then.
    this.#kept.push(
      since > MEASURED_AGAIN_BYTES
        ? { session, bytes: takeSnapshot(session).length, since: 0 }
        : { session, bytes, since },
    );
    let total = this.#kept.reduce((sum, one) => sum + one.bytes + one.since, 0);
    while (this.#kept.length > 1 && (this.#kept.length > KEPT_SESSIONS || total > KEPT_BYTES)) {
      const oldest = this.#kept.shift();
      total -= oldest ? oldest.bytes + oldest.since : 0;
    }
  }
}

function prepareReads(connection: Connection) {
  return {
    messages: newestMessages(connection),
    last: connection.prepare<[string], number | null>("SELECT max(seq) FROM events WHERE conversation_id = ?").pluck(),
    events: connection.prepare<[string, number, number], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = ? AND seq > ? AND seq <= ? ORDER BY seq`,
    ),
    bytes: connection
      .prepare<[string, number, number], number>(
        "SELECT total(octet_length(payload)) FROM events WHERE conversation_id = ? AND seq > ? AND seq <= ?",
      )
      .pluck(),
    snapshotSeq: connection
      .prepare<[string, number, number], number | null>(
        "SELECT max(seq) FROM snapshots WHERE conversation_id = ? AND seq <= ? AND reducer_version = ?",
      )
      .pluck(),
    snapshotSize: connection
      .prepare<[string, number], number>(
        "SELECT octet_length(session) FROM snapshots WHERE conversation_id = ? AND seq = ?",
      )
      .pluck(),
    snapshot: connection
      .prepare<[string, number], Buffer>("SELECT session FROM snapshots WHERE conversation_id = ? AND seq = ?")
      .pluck(),
  };
}
