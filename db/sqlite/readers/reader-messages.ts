import { BadCursor, NotMade, OutOfRange, StorageDamaged } from "../../errors.ts";
import { isDamage } from "../data-dir/damage.ts";
import type { Reader } from "./reader.ts";

/** A call to a reader thread: a method of `Reader` and its arguments. */
export type Call = { [Method in keyof Reader]: { method: Method; args: Parameters<Reader[Method]> } }[keyof Reader];

/** Ends the thread after earlier calls. */
export const CLOSE = "goodbye";

/** Clears the thread's cache after an erasure. There is no reply. */
export const FORGET = "forget";

/** A reply. Errors lose their class between threads, so expected ones are identified by code. */
export type Answer<Value> = { ok: true; value: Value } | { ok: false; refusal: Refusal };

type Refusal =
  | { code: "out_of_range"; message: string; last: number }
  | { code: "not_made"; made: number; last: number }
  | { code: "bad_cursor" }
  | { code: "damaged"; message: string }
  | { code: "failed"; error: unknown };

export function toRefusal(error: unknown): Refusal {
  if (error instanceof OutOfRange) return { code: "out_of_range", message: error.message, last: error.last };
  if (error instanceof NotMade) return { code: "not_made", made: error.made, last: error.last };
  if (error instanceof BadCursor) return { code: "bad_cursor" };
  if (error instanceof Error && isDamage(error)) return { code: "damaged", message: error.message };
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
    case "damaged":
      return new StorageDamaged(new Error(refusal.message));
    case "failed":
      return new Error("A reader thread could not answer", { cause: refusal.error });
    default:
      return refusal satisfies never;
  }
}
