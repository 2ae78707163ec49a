import { searchedTexts } from "../../../lib/session/find/searched-texts.ts";
import { isJsonObject, type Json } from "../../../lib/session/json/json.ts";
import type { Connection } from "../connection.ts";
import { IS_SEEN } from "../unfinished.ts";
import { placeOf } from "./search-place.ts";

/** A batch of the log for the search index: its texts ordered by rowid, and the position after it. */
export interface Unsearched {
  documents: { place: bigint; text: string }[];
  position: number;
  history: number;
  /** The batch is full, and the log may have more. */
  more: boolean;
}

/** The size of a batch. The writer takes 6 µs for an event, 6 ms for a batch, and is blocked meanwhile. */
const MOST = { events: 1_000, text: 200_000, payload: 8_000_000 } as const;

/** The limit up to which missing events are counted. */
const MOST_COUNTED = 10_000;

interface Row {
  position: number;
  conversation_id: string | null;
  seq: number;
  type: string;
  payload: string;
}

const ROW = "SELECT position, conversation_id, seq, type, payload FROM events";

/**
 * The next batch of events that are not indexed (E14). Null: there are none. Events without a conversation are not
 * indexed, and an import only when it is complete. A fork's history has no order in the log: it is indexed before the
 * event that makes the fork visible.
 */
export function readUnsearched(connection: Connection): Unsearched | null {
  const stretch = new Stretch(connection);
  const from = stretch.position;
  const rows = connection.prepare<[number], Row>(`${ROW} WHERE position > ? AND ${IS_SEEN} ORDER BY position`);
  for (const row of rows.iterate(from)) {
    const payload: Json = JSON.parse(row.payload);
    if (row.conversation_id !== null && isFork(row.type, payload)) stretch.takeHistory(row.conversation_id);
    if (stretch.isFull) break;
    stretch.take(row, payload);
    if (stretch.isFull) break;
  }
  return stretch.end();
}

/** The number of events that are not indexed, counted up to 10,000. */
export function countUnsearched(connection: Connection): number {
  const counted = connection
    .prepare<[number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM events WHERE position > ? AND ${IS_SEEN} LIMIT ${MOST_COUNTED})`,
    )
    .pluck()
    .get(readProgress(connection).position);
  return counted ?? 0;
}

/** The position up to which the log is indexed. */
export function readProgress(connection: Connection): { position: number; history: number } {
  const progress = connection
    .prepare<[], { position: number; history: number }>("SELECT position, history FROM search_progress")
    .get();
  // If a log starts with a fork's history, its first other event has position 0.
  return progress ?? { position: -1, history: 0 };
}

/** The first event of a fork after its history. */
export function isFork(type: string, payload: Json): boolean {
  return type === "conversation.created" && isJsonObject(payload) && payload.forked_from !== undefined;
}

class Stretch {
  position: number;
  #history: number;
  readonly #from: { position: number; history: number };
  readonly #reads: ReturnType<typeof prepareReads>;
  readonly #known = new Map<string, number>();
  readonly #documents: Unsearched["documents"] = [];
  #left: { events: number; text: number; payload: number } = { ...MOST };

  constructor(connection: Connection) {
    this.#from = readProgress(connection);
    this.position = this.#from.position;
    this.#history = this.#from.history;
    this.#reads = prepareReads(connection);
  }

  get isFull(): boolean {
    return this.#left.events <= 0 || this.#left.text <= 0 || this.#left.payload <= 0;
  }

  take(row: Row, payload: Json): void {
    this.#add(row, payload);
    this.position = row.position;
    this.#history = 0;
  }

  takeHistory(conversationId: string): void {
    for (const row of this.#reads.history.iterate(conversationId, this.#history)) {
      this.#add(row, JSON.parse(row.payload));
      this.#history = row.seq;
      if (this.isFull) return;
    }
  }

  end(): Unsearched | null {
    const [position, history] = [this.position, this.#history];
    if (position === this.#from.position && history === this.#from.history) return null;
    // Inserting in the order of rowids is a single append, otherwise each is separate.
    this.#documents.sort((a, b) => (a.place < b.place ? -1 : 1));
    return { documents: this.#documents, position, history, more: this.isFull };
  }

  #add({ conversation_id, seq, type, payload: written }: Row, payload: Json): void {
    this.#left.events -= 1;
    this.#left.payload -= written.length;
    if (conversation_id === null) return;
    const texts = searchedTexts(type, payload);
    if (texts.length === 0) return;
    const text = texts.map((one) => one.text).join("\n");
    const conversation = this.#positionOf(conversation_id);
    const place = conversation === null ? null : placeOf(conversation, seq, type);
    this.#left.text -= text.length;
    if (place !== null) this.#documents.push({ place, text });
  }

  /** The position of a conversation's row; null if it is not in the list, so that it cannot be found. */
  #positionOf(id: string): number | null {
    const known = this.#known.get(id) ?? this.#reads.conversation.get(id);
    if (known === undefined) return null;
    this.#known.set(id, known);
    return known;
  }
}

function prepareReads(connection: Connection) {
  return {
    history: connection.prepare<[string, number], Row>(
      `${ROW} WHERE conversation_id = ? AND seq > ? AND position < 0 ORDER BY seq`,
    ),
    conversation: connection.prepare<[string], number>("SELECT position FROM conversations WHERE id = ?").pluck(),
  };
}
