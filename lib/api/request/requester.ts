import type { Caller, Permission, Requester } from "../../access/caller.ts";
import { may, SCOPES } from "../../access/caller.ts";
import { Problem } from "../problem.ts";

/**
 * The header with the caller, set by the HTTP front for routes and pages. It overwrites a client's header of this name,
 * so it can be trusted.
 */
export const REQUESTER_HEADER = "x-obelus-requester";

/** The caller as a header value; supports any name. */
export function writeRequester(requester: Requester): string {
  return encodeURIComponent(JSON.stringify(requester));
}

/** The caller. Throws if the front has not passed it: a broken invariant. */
export function requesterOf(headers: { get(name: string): string | null; requester?: Requester }): Requester {
  if (headers.requester) return headers.requester;
  const told = headers.get(REQUESTER_HEADER);
  if (told === null) throw new Error("A request reached a route or a page past the server's front");
  return JSON.parse(decodeURIComponent(told));
}

/** The message of a 500 response: the request id finds its cause in the log. */
export function internalErrorSentence(requestId: string): string {
  return `Internal error; see request ${requestId} in the server's log.`;
}

/** Throws a `Problem` with a remedy if the caller lacks the permission. */
export function permit(caller: Caller, permission: Permission): void {
  if (may(caller, permission)) return;
  switch (caller.kind) {
    case "nobody":
      throw new Problem("unauthorized", "Sign in, or send an API key as Authorization: Bearer <key>.", {
        headers: { "www-authenticate": "Bearer" },
      });
    case "person":
      throw new Problem(
        "forbidden",
        `The role ${caller.role} does not have the permission ${permission}; ask an administrator for another role.`,
      );
    case "key":
      throw new Problem(
        "forbidden",
        isScope(permission)
          ? `The key ${caller.name} does not have the scope ${permission}; use a key that has it.`
          : "API keys cannot do this; sign in to do it.",
      );
    case "everybody":
      throw new Error(`Everybody was refused ${permission}`);
    default:
      return caller satisfies never;
  }
}

function isScope(permission: Permission): boolean {
  return SCOPES.some((scope) => scope === permission);
}
