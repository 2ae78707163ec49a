import type { ThreadError } from "../../thread-errors.ts";
import type { Reader } from "./reader.ts";

/** A call to a reader thread: a method of `Reader` and its arguments. */
export type Call = { [Method in keyof Reader]: { method: Method; args: Parameters<Reader[Method]> } }[keyof Reader];

/** Ends the thread after earlier calls. */
export const CLOSE = "close";

/** Clears the thread's cache after an erasure. There is no reply. */
export const FORGET = "forget";

/** A reply. */
export type Answer<Value> = { ok: true; value: Value } | { ok: false; error: ThreadError };
