/**
 * Callers in the order of a row's marks: unauthenticated, three roles, three keys by scope, and invalid credentials.
 */
export const CALLERS = [
  ...(["nobody", "viewer", "operator", "admin"] as const),
  ...(["ingest", "read", "decide"] as const),
  ...(["revoked", "expired", "signed out"] as const),
];
export type CallerName = (typeof CALLERS)[number];

/** `+` is accepted, with any response; 401, 403; `>` redirects to sign-in. */
export type Mark = "+" | "1" | "3" | ">";

/**
 * Permissions, written by hand: nobody, viewer operator admin | ingest read decide | revoked expired signed-out. An
 * invalid key is refused everywhere, also for public operations.
 */
export const OPERATIONS: Record<string, string> = {
  "POST /api/events": "13++ +33 111",
  "POST /api/messages": "13++ +33 111",
  "POST /v1/traces": "13++ +33 111",
  "POST /api/otlp/v1/traces": "13++ +33 111",
  "POST /v1/logs": "13++ +33 111",
  "POST /api/otlp/v1/logs": "13++ +33 111",
  "POST /v1/metrics": "13++ +33 111",
  "POST /api/otlp/v1/metrics": "13++ +33 111",
  "GET /api/otlp/unread": "1+++ 3+3 111",
  "POST /api/ag-ui": "13++ +33 111",
  "GET /api/stream": "1+++ 3+3 111",
  "GET /api/conversations/{id}/ag-ui": "1+++ 3+3 111",
  "POST /api/agents/{id}/ag-ui": "13++ +33 111",
  "POST /v1/responses": "13++ +33 111",
  "GET /v1/responses/{id}": "1+++ 3+3 111",
  "POST /api/conversations": "13++ +33 111",
  "GET /api/conversations": "1+++ 3+3 111",
  "GET /api/facets": "1+++ 3+3 111",
  "GET /api/conversations/{id}": "1+++ 3+3 111",
  "GET /api/conversations/{id}/messages": "1+++ 3+3 111",
  "POST /api/conversations/{id}/messages": "13++ +33 111",
  "POST /api/conversations/{id}/takeover": "13++ 333 111",
  "POST /api/conversations/{id}/handback": "13++ 333 111",
  "GET /api/conversations/{id}/events": "1+++ 3+3 111",
  "GET /api/conversations/{id}/timeline": "1+++ 3+3 111",
  "GET /api/conversations/{id}/timeline/buckets": "1+++ 3+3 111",
  "GET /api/conversations/{id}/timeline/next": "1+++ 3+3 111",
  "GET /api/conversations/{id}/view": "1+++ 3+3 111",
  "GET /api/conversations/{id}/search": "1+++ 3+3 111",
  "GET /api/conversations/{id}/state-history": "1+++ 3+3 111",
  "GET /api/conversations/{id}/inferred-edges": "1+++ 3+3 111",
  "GET /api/conversations/{id}/map": "1+++ 3+3 111",
  "GET /api/conversations/{id}/failures/{seq}/similar": "1+++ 3+3 111",
  "GET /api/conversations/{id}/tokens": "1+++ 3+3 111",
  "GET /api/conversations/{id}/bookmarks": "1+++ 3+3 111",
  "PUT /api/conversations/{id}/bookmarks/{seq}": "13++ 333 111",
  "DELETE /api/conversations/{id}/bookmarks/{seq}": "13++ 333 111",
  "GET /api/conversations/{id}/case": "1+++ 3+3 111",
  "GET /api/conversations/{id}/export": "1+++ 3+3 111",
  "GET /api/export": "1+++ 3+3 111",
  "POST /api/import": "13++ +33 111",
  "GET /api/import/{id}": "13++ +33 111",
  "GET /api/conversations/{id}/fork": "1+++ 3+3 111",
  "POST /api/conversations/{id}/fork": "13++ 333 111",
  "POST /api/conversations/{id}/fork/run": "13++ 333 111",
  "POST /api/conversations/{id}/fork/mode": "13++ 333 111",
  "POST /api/plans/validate": "1+++ 3+3 111",
  "POST /api/plans/simulate": "1+++ 3+3 111",
  "POST /api/plans/run": "13++ 333 111",
  "POST /api/runs/{id}/cancel": "13++ 333 111",
  "POST /api/runs/{id}/resume": "13++ 333 111",
  "GET /api/tools": "1+++ 3+3 111",
  "POST /api/tools": "133+ 333 111",
  "GET /api/delegates": "1+++ 3+3 111",
  "POST /api/delegates": "133+ 333 111",
  "GET /api/confirmations": "1+++ 3+3 111",
  "POST /api/confirmations/{id}/decision": "13++ 33+ 111",
  "POST /api/confirmations/decisions": "13++ 33+ 111",
  "GET /api/alerts": "1+++ 3+3 111",
  "GET /api/runs/{id}": "1+++ 3+3 111",
  "GET /api/agents": "1+++ 3+3 111",
  "GET /api/agents/{id}": "1+++ 3+3 111",
  "PUT /api/agents/{id}": "133+ 333 111",
  "GET /api/dialog/graph": "1+++ 3+3 111",
  "GET /api/agent-state": "1+++ 3+3 111",
  "GET /api/agent-state/{agent_id}/{key}": "1+++ 3+3 111",
  "PUT /api/agent-state/{agent_id}/{key}": "13++ +33 111",
  "DELETE /api/agent-state/{agent_id}/{key}": "13++ +33 111",
  "GET /api/agent-state/{agent_id}/{key}/history": "1+++ 3+3 111",
  "GET /api/agent-state/{agent_id}/{key}/history/{version}": "1+++ 3+3 111",
  "GET /api/memory": "1+++ 3+3 111",
  "GET /api/memory/{user_id}": "1+++ 3+3 111",
  "PUT /api/memory/{user_id}": "13++ 333 111",
  "POST /api/prompts/render": "1+++ 3+3 111",
  "GET /api/prices": "1+++ 3+3 111",
  "POST /api/notices/test": "133+ 333 111",
  "GET /api/audit": "133+ 333 111",
  "GET /api/audit/export": "133+ 333 111",
  "POST /api/mcp": "1+++ 3+3 111",
  "POST /api/telegram/webhook": "++++ +++ 11+",
  "GET /api/health": "++++ +++ 11+",
  "GET /api/ready": "++++ +++ 11+",
  "GET /api/metrics": "1+++ 3+3 111",
  "GET /api/openapi.json": "1+++ 3+3 111",
  "POST /api/sign-in": "++++ +++ 11+",
  "POST /api/sign-out": "++++ +++ 11+",
  "GET /api/me": "1+++ +++ 111",
  "PUT /api/me/password": "1+++ +++ 111",
  "GET /api/sign-in/oidc": "++++ +++ 11+",
  "GET /api/sign-in/oidc/callback": "++++ +++ 11+",
  "GET /api/users": "133+ 333 111",
  "POST /api/users": "133+ 333 111",
  "PUT /api/users/{id}": "133+ 333 111",
  "DELETE /api/users/{id}": "133+ 333 111",
  "GET /api/keys": "133+ 333 111",
  "POST /api/keys": "133+ 333 111",
  "DELETE /api/keys/{id}": "133+ 333 111",
  "GET /api/erasures": "133+ 333 111",
  "POST /api/erasures": "133+ 333 111",
  "GET /api/erasures/{id}": "133+ 333 111",
  "GET /api/retention": "133+ 333 111",
};

/** The same for pages. */
export const PAGES: Record<string, string> = {
  "/": ">+++ 3+3 11>",
  "/admin": ">33+ 333 11>",
  "/admin/audit": ">33+ 333 11>",
  "/admin/data": ">33+ 333 11>",
  "/admin/keys": ">33+ 333 11>",
  "/admin/users": ">33+ 333 11>",
  "/agents": ">+++ 3+3 11>",
  "/api-docs": ">+++ 3+3 11>",
  "/approvals": ">+++ 3+3 11>",
  "/approvals/alerts": ">+++ 3+3 11>",
  "/compare": ">+++ 3+3 11>",
  "/connect": ">+++ 3+3 11>",
  "/conversations/[id]": ">+++ 3+3 11>",
  "/conversations/[id]/transcript": ">+++ 3+3 11>",
  "/forbidden": ">+++ 3+3 11>",
  "/new": ">+++ 3+3 11>",
  "/plans": ">+++ 3+3 11>",
  "/prompts": ">+++ 3+3 11>",
  "/sign-in": "++++ +++ 11+",
};

/** The marks of a row, by caller. Throws for an incomplete row. */
export function marksOf(row: string): [CallerName, Mark][] {
  const marks = [...row.replaceAll(" ", "")].filter((mark): mark is Mark => "+13>".includes(mark));
  if (marks.length !== CALLERS.length) throw new Error(`The row ${row} has not a mark for each caller`);
  return CALLERS.flatMap((caller, index) => {
    const mark = marks[index];
    return mark === undefined ? [] : [[caller, mark] as [CallerName, Mark]];
  });
}
