import type { NewEvent } from "../../../db/repositories.ts";
import type { SessionEvent } from "../../session/event.ts";
import { emptySession, fold } from "../../session/reducer/reducer.ts";
import type { Session } from "../../session/session.ts";

const RECORDED_AT = "2026-11-21T15:12:00.000Z";

/** Events as an empty log returns them; `position` is the log's end before. */
export function stored(events: readonly NewEvent[], position = 0): SessionEvent[] {
  return events.map((event, index) => ({
    id: event.id,
    conversation_id: event.conversation_id,
    seq: index + 1,
    position: position + index + 1,
    type: event.type,
    actor: event.actor,
    agent_id: event.agent_id,
    run_id: event.run_id,
    parent_run_id: event.parent_run_id,
    caused_by: event.caused_by,
    payload: event.payload,
    occurred_at: event.occurred_at,
    recorded_at: event.recorded_at ?? RECORDED_AT,
  }));
}

/** The session after all of the events. */
export function folded(events: readonly NewEvent[]): Session {
  return fold(emptySession(events[0]?.conversation_id ?? null), stored(events));
}

/** The bytes of a text in chunks of `size`, which split lines and characters. */
export async function* streamed(text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** All values of a generator, or its error. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
