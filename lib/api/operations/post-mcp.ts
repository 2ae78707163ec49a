import { z } from "zod";
import type { Json } from "../../session/json/json.ts";
import { jsonBody, noParams, noQuery, operation } from "../operation.ts";

/** JSON-RPC's codes of what cannot be read, and of what is not a request. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** The protocol's own code makes ready for each message before it counts them. */
const MOST_MESSAGES = 100;

/** One message, or several. What they say is checked by the protocol's own code. */
const message = z
  .custom<Json>((value) => typeof value === "object" && value !== null, "must be a JSON-RPC message")
  .refine(
    (value) => !Array.isArray(value) || value.length <= MOST_MESSAGES,
    `must have at most ${MOST_MESSAGES} messages; send them in several requests`,
  );

/** Answers assistants that speak the Model Context Protocol. */
export const postMcp = operation({
  name: "postMcp",
  permission: "read",
  method: "POST",
  path: "/api/mcp",
  summary:
    "The Model Context Protocol endpoint (streamable HTTP, stateless): tools that list, search and read conversations. All are read-only, except the one that decides confirmations, which requires the scopes read and decide.",
  params: noParams,
  query: noQuery,
  body: jsonBody(message),
  headers: {
    Accept: "`application/json, text/event-stream`.",
    "MCP-Protocol-Version": "The negotiated protocol version.",
  },
  answers: {
    200: { description: "The JSON-RPC 2.0 response, as JSON or as one event of a stream." },
    202: { description: "The notification was accepted." },
  },
  refuse(problem) {
    const { status, headers } = problem.response();
    const code = problem.code === "malformed_json" ? PARSE_ERROR : INVALID_REQUEST;
    const error = { jsonrpc: "2.0", id: null, error: { code, message: problem.message } };
    const answered = Response.json(error, { status, headers: { "cache-control": "no-store" } });
    const retryAfter = headers.get("retry-after");
    if (retryAfter !== null) answered.headers.set("retry-after", retryAfter);
    return answered;
  },
  run: ({ headers, body, signal }, { mcp }) => mcp.answer({ headers, body, signal }),
});
