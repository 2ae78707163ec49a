import { searchedTexts } from "../../../lib/session/find/searched-texts.ts";
import { isJsonObject, type Json } from "../../../lib/session/json/json.ts";
import type { Connection } from "../connection.ts";
import { IS_SEEN } from "../unfinished.ts";
import { placeOf } from "./search-place.ts";

/** A stretch of the log for the index of the search: its texts in the order of their places, and how far it goes. */
export interface Unsearched {
  documents: { place: bigint; text: string }[];
  position: number;
  history: number;
  /** It ends where enough was read, not where the log does. */
  more: boolean;
}

/**
 * How much is read at a time. The writer takes 6 µs for an event's words, 6 ms for a stretch, and answers nobody else
 * meanwhile.
 */
const MOST = { events: 1_000, text: 200_000, payload: 8_000_000 } as const;

/** As far as it is counted what the index lacks. */
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
 * The next of the log that the index does not have (E14). Null: it has all. What belongs to no conversation is not in
 * it, and an import only from its end on. A fork's history has no place in the order of the log: it goes in before the
 * event that makes the fork known.
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

/** How many events the index lacks, counted up to 10,000. */
export function countUnsearched(connection: Connection): number {
  const counted = connection
    .prepare<[number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM events WHERE position > ? AND ${IS_SEEN} LIMIT ${MOST_COUNTED})`,
    )
    .pluck()
    .get(readProgress(connection).position);
  return counted ?? 0;
}

/** How far the log has been read into the index. */
export function readProgress(connection: Connection): { position: number; history: number } {
  const progress = connection
    .prepare<[], { position: number; history: number }>("SELECT position, history FROM search_progress")
    .get();
  // In a log that began with a fork's history, the first event of its own has the position 0.
  return progress ?? { position: -1, history: 0 };
}

/** The first event of a fork's own. */
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
    // The index takes places in their order at once, and others one by one.
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

  /** Where a conversation stands in the list's table; null: it is not in the list, and so nothing of it can be found. */
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
