import { newId } from "./new-id.ts";
import type { NewEvent } from "./payloads.ts";
import type { Entry } from "./queue.ts";

const utf8 = new TextEncoder();

/** A buffered event, or why it cannot be sent. */
export type Made = { ok: true; entry: Entry } | { ok: false; entry: Omit<Entry, "json" | "bytes">; detail: string };

/** Prepares an event: adds an id and the time, and serializes it. Never throws. */
export function makeEntry<T extends string>(event: NewEvent<T>): Made {
  let id = "";
  let name = { conversation_id: "", type: "" };
  try {
    id = event.id ?? newId();
    name = { conversation_id: event.conversation_id, type: event.type };
    const json = JSON.stringify({ ...event, id, occurred_at: event.occurred_at ?? new Date().toISOString() });
    return { ok: true, entry: { id, ...name, json, bytes: utf8.encode(json).length } };
  } catch (error) {
    return { ok: false, entry: { id, ...name }, detail: error instanceof Error ? error.message : String(error) };
  }
}
