import { createYielder } from "../../lib/event-loop/yielding.ts";
import { redactPayload } from "../../lib/session/erasure/redaction.ts";
import { isJsonObject, type Json } from "../../lib/session/json/json.ts";
import type { NewEvent } from "../repositories.ts";

/** Removes what must not be stored from a value. */
export type Redact = (value: Json) => Json;

/** No redaction. */
export const AS_IT_COMES: Redact = (value) => value;

/** A payload as stored: redacted and serialized. */
export interface StoredPayload {
  payload: Json;
  text: string;
  /** For agent state: the serialized value alone. */
  value?: string;
}

export function redacted({ type, payload }: Pick<NewEvent, "type" | "payload">, redact: Redact): Json {
  return redact === AS_IT_COMES ? payload : redactPayload(type, payload, redact);
}

export function storedPayload(event: Pick<NewEvent, "type" | "payload">, redact: Redact): StoredPayload {
  return serialized(redacted(event, redact));
}

/** Of all characters, JSON.stringify writes control characters and halves of surrogate pairs as `\u` and digits. */
const HALF = /(?<=(?<!\\)(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/gu;

/**
 * A value as stored, with U+FFFD for half of a surrogate pair, as text that was cut in the middle of an emoji has it: Postgres
 * reads no JSON with one, not even what stands beside it.
 */
function serialized(value: Json): { payload: Json; text: string } {
  const text = JSON.stringify(value);
  if (!text.includes("\\ud")) return { payload: value, text };
  const whole = text.replace(HALF, "\\ufffd");
  return whole === text ? { payload: value, text } : { payload: JSON.parse(whole), text: whole };
}

/**
 * Calls `store` with the stored payloads of new events. They are created before the transaction, and yield to the event
 * loop: 4 MB take some 20 ms to redact and serialize, and as long again to store. Small ones are stored at once.
 */
export async function withStoredPayloads<T>(
  events: readonly NewEvent[],
  redact: Redact,
  store: (stored: readonly StoredPayload[]) => Promise<T>,
): Promise<T> {
  const yielder = createYielder();
  const stored: StoredPayload[] = [];
  for (const event of events) {
    stored.push(storedPayload(event, redact));
    if (yielder.isDue()) await yielder.yieldOnce();
  }
  return store(stored);
}

/** A serialized value of agent state, and its event's payload for a version, which only the transaction knows. */
export interface StoredAgentState {
  text: string;
  at(version: number): StoredPayload;
}

/** The same for a value of agent state. */
export async function withStoredAgentState<T>(
  { agentId, key, value: given }: { agentId: string; key: string; value: Json },
  redact: Redact,
  store: (stored: StoredAgentState) => Promise<T>,
): Promise<T> {
  const yielder = createYielder();
  const entry = { agent_id: agentId, key };
  const whole = redacted({ type: "agent_state.written", payload: { ...entry, value: given } }, redact);
  const { payload: value, text } = serialized(isJsonObject(whole) && whole.value !== undefined ? whole.value : given);
  if (yielder.isDue()) await yielder.yieldOnce();
  const beginning = JSON.stringify(entry).slice(0, -1);
  return store({
    text,
    at: (version) => ({
      payload: { ...entry, value, version },
      text: `${beginning},"value":${text},"version":${version}}`,
      value: text,
    }),
  });
}
