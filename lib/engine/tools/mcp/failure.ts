import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { CallRefused } from "../../../outgoing/egress.ts";
import { ActivityError } from "../activity.ts";

/** The code of a call to a server that is not there. */
export const UNAVAILABLE = "mcp_unavailable";

/** What a call that got no result fails with (P24). Throws the signal's reason when the call was stopped. */
export function mcpFailure(server: string, error: unknown, signal: AbortSignal): ActivityError {
  if (signal.aborted) throw signal.reason;
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new ActivityError("timed_out", `The MCP server ${server} did not answer in time`, {
      cause: error,
      transient: true,
    });
  }
  if (error instanceof ProtocolError) {
    return new ActivityError("mcp_error", `The MCP server ${server} refused the call: ${error.message}`, {
      cause: error,
    });
  }
  return new ActivityError(UNAVAILABLE, `The MCP server ${server} is not connected: ${reasonOf(error)}`, {
    cause: error,
    transient: true,
    did_not_happen: wasNotSent(error),
  });
}

/** Why a server cannot be reached, in words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // What fetch throws says only that it failed.
  return error.cause instanceof Error
    ? `${error.message} (${error.cause.message || codeOf(error.cause)})`
    : error.message;
}

function wasNotSent(error: unknown): boolean {
  // The server does not know this session any more, or turned the request away.
  if (error instanceof SdkHttpError) return error.status === 404 || error.status === 429;
  if (error instanceof SdkError) return error.code === SdkErrorCode.NotConnected;
  if (error instanceof Error && error.cause instanceof CallRefused) return true;
  const code = error instanceof Error ? codeOf(error.cause) : undefined;
  return code === "ECONNREFUSED" || code === "ENOTFOUND";
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
