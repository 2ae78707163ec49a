import { BadCursor, NotMade, OutOfRange, StorageDamaged } from "../../errors.ts";
import { isDamage } from "../data-dir/damage.ts";
import type { Reader } from "./reader.ts";

/** What a reader thread is asked: a method of `Reader` and what it takes. */
export type Call = { [Method in keyof Reader]: { method: Method; args: Parameters<Reader[Method]> } }[keyof Reader];

/** Ends the thread, after the calls that it was sent before. */
export const GOODBYE = "goodbye";

/** Lets the thread forget what it has folded: it was erased meanwhile. Nothing is answered. */
export const FORGET = "forget";

/** What it answers. Errors are copied between threads without their class, so refusals travel by code. */
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

/** The error as the caller would have met it in its own thread. */
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
