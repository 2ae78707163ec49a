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
  return new KnownAnswer(json, { status, headers: { "content-type": "application/json", ...NO_STORE, ...headers } });
}

type Content = string | Uint8Array<ArrayBuffer>;

/**
 * A response whose whole body is known. `Response` makes a stream of it at once, which takes as long as checking a small request;
 * this one when somebody reads it, which the server does not.
 */
class KnownAnswer extends Response {
  readonly content: Content;
  #read: Response | null = null;

  constructor(content: Content, init: ResponseInit) {
    super(null, init);
    this.content = content;
  }

  override get body() {
    return this.#streamed().body;
  }

  override get bodyUsed() {
    return this.#read?.bodyUsed ?? false;
  }

  override text() {
    return this.#streamed().text();
  }

  override json() {
    return this.#streamed().json();
  }

  override arrayBuffer() {
    return this.#streamed().arrayBuffer();
  }

  override bytes() {
    return this.#streamed().bytes();
  }

  override blob() {
    return this.#streamed().blob();
  }

  override clone() {
    return this.#streamed().clone();
  }

  #streamed(): Response {
    const { content, status, headers } = this;
    this.#read ??= new Response(content, { status, headers });
    return this.#read;
  }
}

/** The whole body of an answer, if it is known. */
export function contentOf(answer: Response): Content | undefined {
  return answer instanceof KnownAnswer ? answer.content : undefined;
}

/** The problem of a missing entry of agent state. */
export function unknownEntry({ agent_id, key }: { agent_id: string; key: string }): Problem {
  return new Problem("not_found", `The agent ${agent_id} has no entry ${key}.`);
}

/** The problem of a missing conversation. */
export function unknownConversation(id: string): Problem {
  return new Problem("not_found", `There is no conversation ${id}.`);
}
