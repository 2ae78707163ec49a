import type { Json } from "../session/json/json.ts";
import type { Numbers } from "../session/json/json-number.ts";
import type { ImportedConversation } from "./new-event.ts";

/** One value of a file: a line's, or an element of the one document that it is. */
export interface Entry {
  value: Json;
  /** Counts from 1; null in a document. */
  line: number | null;
  /** Where it is in the document. */
  within: readonly number[];
}

/** A format that conversations come in. Which one a file has is told by its first entry. */
export interface ImportFormat {
  recognizes(first: Json): boolean;
  /** How deep a line may be nested (E11). */
  depth: number;
  /** What others wrote is not lost for a number in it. */
  numbers: Numbers;
  /** How many characters of a file it may hold until that ends, because it tells only then what belongs together; 0 where it holds none. */
  mostHeld: number;
  /** Makes conversations of the entries as they come. Throws `ImportError` at the first mistake. */
  read(entries: AsyncIterable<Entry>): AsyncIterable<ImportedConversation>;
}

/** What most of these hold: of a file of spans, say, five times as much are objects. */
export const MOST_HELD = 64 * 1024 * 1024;

/** As deep as an event may be nested (E11). */
export const EVENT_DEPTH = 64;
/** What others wrote stands one level deeper in its event, which has to be importable again. */
export const FOREIGN_DEPTH = EVENT_DEPTH - 1;
