import { constants, deflateSync, inflateSync } from "node:zlib";
import type { SessionEvent } from "../../lib/session/event.ts";
import { emptySession, fold } from "../../lib/session/reducer.ts";
import type { Session } from "../../lib/session/session.ts";
import { REDUCER_VERSION, readSnapshot, takeSnapshot } from "../../lib/session/snapshot.ts";
import type { Connection } from "./connection.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "./event-row.ts";
import { newestMessages } from "./messages.ts";
import { SNAPSHOT_EVERY } from "./transaction.ts";

// Snapshots are taken at multiples of this, as soon as what was folded since the last one is dear.
const SNAPSHOT_STRIDE = 250;
const SNAPSHOT_BYTES = 1_000_000;
// A session's bounds keep it under a few megabytes; this many serve the tails of what is being watched.
const KEPT_SESSIONS = 8;
// What the reducer keeps of messages, and so what a snapshot needs of them.
const MESSAGES = 200;

/** A session after a step, as it is stored: deflated, which makes it a tenth of the log that it stands for. */
export interface Snapshot {
  seq: number;
  session: Uint8Array;
}

/** Sessions folded from the log, each from the nearest place at hand: one folded before, a snapshot, or the beginning. */
export class FoldedSessions {
  readonly #connection: Connection;
  readonly #reads: ReturnType<typeof prepareReads>;
  /** The ones folded before, the longest unused first. Sessions are never changed, so they can be folded on from. */
  readonly #kept: Session[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#reads = prepareReads(connection);
  }

  /** The last step of a conversation; 0 when there is no such conversation. */
  last(conversationId: string): number {
    return this.#reads.last.get(conversationId) ?? 0;
  }

  /** The session after a step that it has, and how many events had to be folded for it. */
  at(conversationId: string, at: number): { session: Session; folded: number } {
    const base = this.#nearest(conversationId, at);
    const session = this.#foldTo(base, conversationId, at);
    this.#keep(session);
    return { session, folded: at - base.at };
  }

  /** The snapshots that a session lacks after its newest one, at most `limit`, oldest first. */
  missingSnapshots(conversationId: string, limit: number): Snapshot[] {
    const last = this.last(conversationId);
    const snapshots: Snapshot[] = [];
    let session = this.#nearest(conversationId, this.#snapshotSeq(conversationId, last));
    let newest = session.at;
    let bytes = 0;
    for (let seq = session.at + SNAPSHOT_STRIDE; seq <= last && snapshots.length < limit; seq += SNAPSHOT_STRIDE) {
      bytes += this.#reads.bytes.get(conversationId, session.at, seq) ?? 0;
      session = this.#foldTo(session, conversationId, seq);
      if (seq - newest < SNAPSHOT_EVERY && bytes < SNAPSHOT_BYTES) continue;
      snapshots.push({ seq, session: deflateSync(takeSnapshot(session), { level: constants.Z_BEST_SPEED }) });
      newest = seq;
      bytes = 0;
    }
    if (snapshots.length > 0) this.#keep(session);
    return snapshots;
  }

  #nearest(conversationId: string, at: number): Session {
    const snapshotSeq = this.#snapshotSeq(conversationId, at);
    const kept = this.#kept
      .filter((session) => session.conversation_id === conversationId && session.at <= at && session.at >= snapshotSeq)
      .reduce<Session | null>((best, session) => (best && best.at > session.at ? best : session), null);
    if (kept) return kept;
    const snapshot = this.#reads.snapshot.get(conversationId, snapshotSeq);
    if (!snapshot) return emptySession(conversationId);
    return readSnapshot(
      inflateSync(snapshot).toString(),
      newestMessages(this.#connection, conversationId, snapshotSeq, MESSAGES),
    );
  }

  #snapshotSeq(conversationId: string, at: number): number {
    return this.#reads.snapshotSeq.get(conversationId, at, REDUCER_VERSION) ?? 0;
  }

  #foldTo(session: Session, conversationId: string, at: number): Session {
    let folded = session;
    while (folded.at < at) {
      const events: SessionEvent[] = this.#reads.events
        .all(conversationId, folded.at, Math.min(at, folded.at + SNAPSHOT_STRIDE))
        .map(toEvent);
      if (events.length === 0) throw new Error(`The log of ${conversationId} has no step ${folded.at + 1}`);
      folded = fold(folded, events);
    }
    return folded;
  }

  #keep(session: Session): void {
    const index = this.#kept.findIndex(
      (other) => other.conversation_id === session.conversation_id && other.at === session.at,
    );
    if (index >= 0) this.#kept.splice(index, 1);
    this.#kept.push(session);
    if (this.#kept.length > KEPT_SESSIONS) this.#kept.shift();
  }
}

function prepareReads(connection: Connection) {
  return {
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
    snapshot: connection
      .prepare<[string, number], Buffer>("SELECT session FROM snapshots WHERE conversation_id = ? AND seq = ?")
      .pluck(),
  };
}
