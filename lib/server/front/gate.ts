import type { IncomingMessage } from "node:http";
import type { Access } from "../../access/access.ts";
import { type Caller, may } from "../../access/caller.ts";
import { ownPath } from "../../access/own-path.ts";
import type { ProblemCode } from "../../api/problem.ts";
import { FILES } from "./compressed-files.ts";
import { isApi, isOfNext, pagePermission } from "./page-access.ts";
import type { From } from "./proxies.ts";
import type { RequestPath } from "./request-path.ts";

/** Who sends a request, and what becomes of it at the gate. */
export type Passage = { caller: Caller } & (
  | { kind: "passes" }
  /** The key does not hold, or the browser may have been made to send it by another site. */
  | { kind: "refused"; code: ProblemCode; detail: string }
  /** A person has to sign in first. */
  | { kind: "sign_in"; location: string }
  /** A page that the caller's role does not open. */
  | { kind: "forbidden" }
);

export type Gate = (request: IncomingMessage, address: RequestPath, from: From) => Promise<Passage>;

/** Methods that change nothing. */
export const READING: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);

const NOBODY: Caller = { kind: "nobody" };

/**
 * Makes what finds out who sends a request, and keeps people from pages that are not for them. Calls of the API pass: each
 * checks by itself who may. In development the tools of Next pass as well.
 */
export function createGate(access: Access, dev: boolean): Gate {
  return async (request, address, { secure }) => {
    const { method = "GET", headers } = request;
    const { path } = address;
    const asked = isApi(path) ? null : dev && isOfNext(path) ? "public" : pagePermission(path);
    // Twenty files come with a page: none of them is worth a look at who it is.
    if (path.startsWith(FILES)) return { kind: "passes", caller: NOBODY };
    const { cookie, authorization } = headers;
    const identified = await access.identify({ cookie, authorization, secure });
    if ("refused" in identified)
      return { kind: "refused", caller: NOBODY, code: "unauthorized", detail: identified.refused };
    const { caller, byCookie } = identified;
    if (byCookie && !READING.has(method) && !isOwnPage(request))
      return { kind: "refused", caller, code: "foreign_origin", detail: NOT_OWN };
    if (asked === null || may(caller, asked)) return { kind: "passes", caller };
    if (caller.kind !== "nobody") return { kind: "forbidden", caller };
    return { kind: "sign_in", caller, location: `/sign-in?to=${encodeURIComponent(wayBack(address))}` };
  };
}

const NOT_OWN =
  "The request has a session cookie but does not come from a page of this server; programs must send an API key instead.";

/**
 * A cookie comes along whoever made the browser send the request, so the browser has to say that a page of ours did. The guard
 * has looked at the Origin where there is one.
 */
function isOwnPage({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || headers["sec-fetch-site"] === "same-origin";
}

/** Where somebody wanted to go, without what Next adds when it asks for the parts of a page. */
function wayBack({ path, query }: RequestPath): string {
  const own = URL.parse(ownPath(path + query) ?? "/", "http://obelus.invalid");
  own?.searchParams.delete("_rsc");
  return own ? `${own.pathname}${own.search}` : "/";
}
