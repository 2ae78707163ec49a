import type { Failure, Json } from "./payloads.ts";
import type { Target } from "./post.ts";

/** Why something could not be read, or, of a strict client, was not recorded. */
export class ObelusError extends Error {
  override readonly name = "ObelusError";
  /** The response's status; null without one. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

type Status = "idle" | "running" | "waiting" | "escalated" | "failed";

/** A conversation as the server lists it. Here and below, the server may send more fields. */
export interface StoredConversation {
  id: string;
  title: string | null;
  channel: string | null;
  user_id: string | null;
  agent_id: string | null;
  status: Status;
  message_count: number;
  event_count: number;
  last_seq: number;
  /** ISO 8601, UTC. */
  created_at: string | null;
  updated_at: string | null;
}

/** An event in the log. */
export interface StoredEvent {
  id: string;
  /** Its number in the conversation, from 1. */
  seq: number;
  type: string;
  actor: string | null;
  agent_id: string | null;
  run_id: string | null;
  caused_by: string | null;
  payload: Json;
  occurred_at: string | null;
}

/** A conversation after a step. */
export interface View {
  at: number;
  last: number;
  status: Status;
  /** The newest 200; a large content is a reference. */
  messages: { id: string; seq: number; role: string; content: string | { $ref: string; bytes: number } }[];
  messages_before: number;
  runs: { id: string; parent_run_id: string | null; agent_id: string | null; status: string; iteration: number }[];
  calls: {
    id: string;
    run_id: string | null;
    iteration: number;
    tool: string;
    status: string;
    params: Json;
    output: Json;
    error: Failure | null;
  }[];
  /** The state of the newest top-level run by instance; `""` without instances. */
  state: { [instance: string]: Json };
  warnings: { seq: number; code: string; message: string }[];
}

/** Reads JSON of a path such as `conversations/c/view`. Rejects with an `ObelusError`. */
export async function read<T>({ url, headers }: Target, path: string, timeoutMs: number): Promise<T> {
  const { ok, status, body } = await ask(new URL(path, url), headers, timeoutMs);
  if (ok) return body;
  throw new ObelusError(typeof body?.detail === "string" ? body.detail : `The server answered ${status}`, status);
}

async function ask(url: URL, headers: Record<string, string>, timeoutMs: number) {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
    const { ok, status } = response;
    return { ok, status, body: await response.json() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ObelusError(`${url} cannot be read: ${reason}`, null, { cause: error });
  }
}
