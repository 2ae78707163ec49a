import type { IncomingMessage } from "node:http";
import type { Access } from "../../access/access.ts";
import { type Caller, may } from "../../access/caller.ts";
import { ownPath } from "../../access/own-path.ts";
import type { ProblemCode } from "../../api/problem.ts";
import { FILES } from "./compression/compressed-files.ts";
import { isApi, isOfNext, pagePermission } from "./page-access.ts";
import type { From } from "./proxies.ts";
import type { RequestPath } from "./request-path.ts";

/** The caller of a request, or why it is refused. */
export type GateResult = { caller: Caller } & (
  | { kind: "passes" }
  /** The key is invalid, or another site may have made the browser send the request. */
  | { kind: "refused"; code: ProblemCode; detail: string }
  /** Redirects to the sign-in page. */
  | { kind: "sign_in"; location: string }
  /** A page that the caller's role may not open. */
  | { kind: "forbidden" }
);

export type Gate = (request: IncomingMessage, address: RequestPath, from: From) => Promise<GateResult>;

/** Methods without effects. */
export const READING: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);

const NOBODY: Caller = { kind: "nobody" };

/**
 * Creates the gate, which identifies callers and restricts pages. API requests pass: each operation checks permissions.
 * In development Next's tools pass, too.
 */
export function createGate(access: Access, dev: boolean): Gate {
  return async (request, address, { secure }) => {
    const { method = "GET", headers } = request;
    const { path } = address;
    const asked = isApi(path) ? null : dev && isOfNext(path) ? "public" : pagePermission(path);
    // Static files, twenty per page, need no authentication.
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
 * Browsers send cookies with cross-site requests, so the browser has to confirm that the request is same-origin.
 * `Origin`, if present, was checked before.
 */
function isOwnPage({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || headers["sec-fetch-site"] === "same-origin";
}

/** The requested page, without what Next adds for parts of a page. */
function wayBack({ path, query }: RequestPath): string {
  const own = URL.parse(ownPath(path + query) ?? "/", "http://obelus.invalid");
  own?.searchParams.delete("_rsc");
  return own ? `${own.pathname}${own.search}` : "/";
}
