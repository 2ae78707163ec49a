import { BadCursor, NotMade, OutOfRange, StorageUnreachable } from "../../errors.ts";
import type { SessionReads } from "./session-reads.ts";

/** A call to a reader thread. */
export interface Call {
  id: number;
  method: keyof SessionReads;
  args: unknown[];
}

/** Ends the thread after the calls that it has. */
export const CLOSE = "close";

/** A reply. Errors lose their class between threads, so expected ones are identified by code. */
export type Answer = { id: number; value: unknown } | { id: number; refusal: Refusal };

type Refusal =
  | { code: "out_of_range"; message: string; last: number }
  | { code: "not_made"; made: number; last: number }
  | { code: "bad_cursor" }
  | { code: "unreachable"; message: string }
  | { code: "failed"; error: unknown };

export function toRefusal(error: unknown): Refusal {
  if (error instanceof OutOfRange) return { code: "out_of_range", message: error.message, last: error.last };
  if (error instanceof NotMade) return { code: "not_made", made: error.made, last: error.last };
  if (error instanceof BadCursor) return { code: "bad_cursor" };
  if (error instanceof StorageUnreachable) return { code: "unreachable", message: String(error.cause) };
  return { code: "failed", error };
}

/** The error as thrown in the thread. */
export function fromRefusal(refusal: Refusal): Error {
  switch (refusal.code) {
    case "out_of_range":
      return new OutOfRange(refusal.message, refusal.last);
    case "not_made":
      return new NotMade(refusal.made, refusal.last);
    case "bad_cursor":
      return new BadCursor();
    case "unreachable":
      return new StorageUnreachable(new Error(refusal.message));
    case "failed":
      return new Error("A reader thread could not answer", { cause: refusal.error });
    default:
      return refusal satisfies never;
  }
}
