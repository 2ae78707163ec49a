import type { IncomingMessage } from "node:http";
import type { Caller } from "./caller.ts";

/** Who may come in, and who it is. */
export interface Access {
  /** Somebody has to sign in, or send a key, for all that is not public. */
  required: boolean;
  /** Who sends this request. */
  callerOf(request: IncomingMessage): Promise<Caller>;
  /** Aborts when the caller's rights end: they signed out, were removed, or their key was revoked. */
  ended(caller: Caller): AbortSignal;
}

const NEVER = new AbortController().signal;

/** The access of a server on which nobody signs in. */
export function openAccess(): Access {
  return { required: false, callerOf: async () => ({ kind: "everybody" }), ended: () => NEVER };
}
