import type { ThreadError } from "../../thread-errors.ts";
import type { SessionReads } from "./session-reads.ts";

/** A call to a reader thread. */
export interface Call {
  id: number;
  method: keyof SessionReads;
  args: unknown[];
}

/** Ends the thread after the calls that it has. */
export const CLOSE = "close";

/** A reply. */
export type Answer = { id: number; value: unknown } | { id: number; error: ThreadError };
