import type { Caller, Permission, Requester } from "../access/caller.ts";
import { may } from "../access/caller.ts";
import { Problem } from "./problem.ts";

/**
 * The header by which the server's front tells routes and pages who asks. It overwrites what a client sends by that name,
 * so that its text can be trusted.
 */
export const REQUESTER_HEADER = "x-obelus-requester";

/** Who asks, as a header that holds any name. */
export function writeRequester(requester: Requester): string {
  return encodeURIComponent(JSON.stringify(requester));
}

/** Who asks. Throws where the front has not told: a broken invariant. */
export function requesterOf(headers: { get(name: string): string | null }): Requester {
  const told = headers.get(REQUESTER_HEADER);
  if (told === null) throw new Error("A request reached a route or a page past the server's front");
  return JSON.parse(decodeURIComponent(told));
}

/** What somebody is told whose request broke something here: by the id its cause is found in the log. */
export function brokenSentence(requestId: string): string {
  return `Internal error; see request ${requestId} in the server's log.`;
}

/** Throws a `Problem` that says what to do when the caller may not do what asks for this permission. */
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
  return permission === "ingest" || permission === "read" || permission === "decide";
}
