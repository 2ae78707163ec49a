import { BadCursor, NotMade, OutOfRange, StorageDamaged, StorageUnreachable } from "./errors.ts";

/** An error as a reader thread replies with it: errors lose their class between threads, so expected ones have a code. */
export type ThreadError =
  | { code: "out_of_range"; message: string; last: number }
  | { code: "not_made"; made: number; last: number }
  | { code: "bad_cursor" }
  | { code: "damaged"; message: string }
  | { code: "unreachable"; message: string }
  | { code: "failed"; error: unknown };

/** In the thread. */
export function toThreadError(error: unknown): ThreadError {
  if (error instanceof OutOfRange) return { code: "out_of_range", message: error.message, last: error.last };
  if (error instanceof NotMade) return { code: "not_made", made: error.made, last: error.last };
  if (error instanceof BadCursor) return { code: "bad_cursor" };
  if (error instanceof StorageDamaged) return { code: "damaged", message: causeOf(error) };
  if (error instanceof StorageUnreachable) return { code: "unreachable", message: causeOf(error) };
  return { code: "failed", error };
}

/** The error as thrown in the thread. */
export function fromThreadError(error: ThreadError): Error {
  switch (error.code) {
    case "out_of_range":
      return new OutOfRange(error.message, error.last);
    case "not_made":
      return new NotMade(error.made, error.last);
    case "bad_cursor":
      return new BadCursor();
    case "damaged":
      return new StorageDamaged(new Error(error.message));
    case "unreachable":
      return new StorageUnreachable(new Error(error.message));
    case "failed":
      return new Error("A reader thread could not answer", { cause: error.error });
    default:
      return error satisfies never;
  }
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? cause.message : String(cause);
}
