import { searchedTexts } from "../../lib/session/find/searched-texts.ts";
import { isJsonObject, type Json } from "../../lib/session/json/json.ts";
import { placeOf } from "./search-place.ts";

/**
 * A stretch of the log for the index of the search: its texts, as the index takes them, in the order of their places, and how far
 * it goes.
 */
export interface Unsearched {
  documents: { place: bigint; text: string }[];
  position: number;
  history: number;
  /** Events were left out because their conversation is not in the list: it may be about to be renamed by an erasure. */
  isPartial: boolean;
  /** It ends where enough was read, not where the log does. */
  more: boolean;
}

/**
 * How much is read at a time. The writer takes 6 µs for an event's words, 6 ms for a stretch, and answers nobody else
 * meanwhile.
 */
const MOST = { events: 1_000, text: 200_000, payload: 8_000_000 } as const;

/** As far as it is counted what the index lacks. */
export const MOST_COUNTED = 10_000;

/** How far the log has been read into the index: to a position, and into the history of the fork after it. */
export interface SearchProgress {
  position: number;
  history: number;
}

/** In a log that began with a fork's history, the first event of its own has the position 0. */
export const NOTHING_READ: SearchProgress = { position: -1, history: 0 };

/** What is read of an event for the index. */
export interface SearchedRow {
  position: number;
  conversation_id: string | null;
  seq: number;
  type: string;
  payload: string;
}

/** The first event of a fork's own. */
export function isFork(type: string, payload: Json): boolean {
  return type === "conversation.created" && isJsonObject(payload) && payload.forked_from !== undefined;
}

/** Collects the texts of events for the index, until there are enough. `conversation` is a row's place in the list; null: it is not in the list. */
export class Stretch {
  #position: number;
  #history: number;
  readonly #from: SearchProgress;
  readonly #documents: Unsearched["documents"] = [];
  #isPartial = false;
  readonly #left: { events: number; text: number; payload: number } = { ...MOST };

  constructor(from: SearchProgress) {
    this.#from = from;
    this.#position = from.position;
    this.#history = from.history;
  }

  get isFull(): boolean {
    return this.#left.events <= 0 || this.#left.text <= 0 || this.#left.payload <= 0;
  }

  /** How much of the next fork's history it has. */
  get history(): number {
    return this.#history;
  }

  take(row: SearchedRow, payload: Json, conversation: number | null): void {
    this.#add(row, payload, conversation);
    this.#position = row.position;
    this.#history = 0;
  }

  takeHistory(row: SearchedRow, conversation: number | null): void {
    this.#add(row, JSON.parse(row.payload), conversation);
    this.#history = row.seq;
  }

  /** Null: it took nothing. */
  end(): Unsearched | null {
    const [position, history] = [this.#position, this.#history];
    if (position === this.#from.position && history === this.#from.history) return null;
    // The index takes places in their order at once, and others one by one.
    this.#documents.sort((a, b) => (a.place < b.place ? -1 : 1));
    return { documents: this.#documents, position, history, isPartial: this.#isPartial, more: this.isFull };
  }

  #add(
    { conversation_id, seq, type, payload: written }: SearchedRow,
    payload: Json,
    conversation: number | null,
  ): void {
    this.#left.events -= 1;
    this.#left.payload -= written.length;
    if (conversation === null) {
      this.#isPartial ||= conversation_id !== null;
      return;
    }
    const texts = searchedTexts(type, payload);
    if (texts.length === 0) return;
    const text = texts.map((one) => one.text).join("\n");
    const place = placeOf(conversation, seq, type);
    this.#left.text -= text.length;
    if (place !== null) this.#documents.push({ place, text });
  }
}
