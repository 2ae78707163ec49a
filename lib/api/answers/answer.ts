import { Problem } from "../problem.ts";

const NO_STORE = { "cache-control": "no-store" };

/** Responds with a value as JSON. */
export function answerJson(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return answerText(JSON.stringify(value), status, headers);
}

/** Responds with serialized JSON, as text or UTF-8. */
export function answerText(
  json: string | Uint8Array<ArrayBuffer>,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  const answer = new Response(json, {
    status,
    headers: { "content-type": "application/json", ...NO_STORE, ...headers },
  });
  contents.set(answer, json);
  return answer;
}

const contents = new WeakMap<Response, string | Uint8Array<ArrayBuffer>>();

/** The whole body of an answer, if it is known: reading it from its stream takes longer than a small request. */
export function contentOf(answer: Response): string | Uint8Array<ArrayBuffer> | undefined {
  return contents.get(answer);
}

/** The problem of a missing entry of agent state. */
export function unknownEntry({ agent_id, key }: { agent_id: string; key: string }): Problem {
  return new Problem("not_found", `The agent ${agent_id} has no entry ${key}.`);
}

/** The problem of a missing conversation. */
export function unknownConversation(id: string): Problem {
  return new Problem("not_found", `There is no conversation ${id}.`);
}
