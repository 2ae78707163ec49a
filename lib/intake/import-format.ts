import type { Json } from "../session/json/json.ts";
import type { Numbers } from "../session/json/json-number.ts";
import type { ImportedConversation } from "./new-event.ts";

/** A value of a file: a line, or an element of a document. */
export interface Entry {
  value: Json;
  /** From 1; null in a document. */
  line: number | null;
  /** Its path in the document. */
  within: readonly number[];
}

/** An import format. The first entry of a file determines it. */
export interface ImportFormat {
  recognizes(first: Json): boolean;
  /** The maximum nesting of a line (E11). */
  depth: number;
  /** Foreign formats keep numbers as written. */
  numbers: Numbers;
  /**
   * How many characters of a file it may hold until the end, if only then related entries are known; 0 if it holds
   * none.
   */
  mostHeld: number;
  /** Converts entries to conversations as they arrive. Throws `ImportError` at the first error. */
  read(entries: AsyncIterable<Entry>): AsyncIterable<ImportedConversation>;
}

/** What most formats hold: parsed spans, for example, take five times as much. */
export const MOST_HELD = 64 * 1024 * 1024;

/** The maximum nesting of an event (E11). */
export const EVENT_DEPTH = 64;
/** Foreign values are one level deeper in their event, which has to be importable again. */
export const FOREIGN_DEPTH = EVENT_DEPTH - 1;
