import { Problem } from "../problem.ts";

const NO_STORE = { "cache-control": "no-store" };

/** Answers with a value as JSON. */
export function answerJson(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return answerText(JSON.stringify(value), status, headers);
}

/** Answers with JSON that is text already, or UTF-8. */
export function answerText(
  json: string | Uint8Array<ArrayBuffer>,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return new Response(json, { status, headers: { "content-type": "application/json", ...NO_STORE, ...headers } });
}

/** The problem of agent state that is not there. */
export function unknownEntry({ agent_id, key }: { agent_id: string; key: string }): Problem {
  return new Problem("not_found", `The agent ${agent_id} has no entry ${key}.`);
}

/** The problem of a conversation that is not there. */
export function unknownConversation(id: string): Problem {
  return new Problem("not_found", `There is no conversation ${id}.`);
}
