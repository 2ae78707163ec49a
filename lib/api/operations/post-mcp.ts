import { z } from "zod";
import type { Json } from "../../session/json/json.ts";
import { jsonBody, operation } from "../operation.ts";

/** JSON-RPC error codes: parse error, invalid request. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** The maximum batch size: the SDK allocates per message before it checks the number. */
const MOST_MESSAGES = 100;

/** A message or a batch. The SDK validates it. */
const message = z
  .custom<Json>((value) => typeof value === "object" && value !== null, "must be a JSON-RPC message")
  .refine(
    (value) => !Array.isArray(value) || value.length <= MOST_MESSAGES,
    `must have at most ${MOST_MESSAGES} messages; send them in several requests`,
  );

/** Handles requests of the Model Context Protocol. */
export const postMcp = operation({
  name: "postMcp",
  permission: "read",
  method: "POST",
  path: "/api/mcp",
  summary:
    "The Model Context Protocol endpoint (streamable HTTP, stateless): tools that list, search and read conversations. All are read-only, except the one that decides confirmations, which requires the scopes read and decide.",
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
