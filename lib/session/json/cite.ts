import type { SessionEvent } from "../event.ts";
import type { Ref } from "../session.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/** Larger values, in bytes of JSON, are replaced by references (E8). */
export const LARGEST_VALUE = 16_384;

// n UTF-16 units take at most 3n bytes, so most values need not be encoded to be known as small.
const SURELY_SMALL = Math.floor(LARGEST_VALUE / 3);
const encoder = new TextEncoder();

/**
 * The value, or for one over 16 kB a `Ref` to its event (E8): the address returns a list with the event, the fragment
 * is a JSON Pointer into it.
 */
export function cite(
  event: Pick<SessionEvent, "conversation_id" | "seq">,
  pointer: string,
  value: JsonObject,
): JsonObject;
export function cite(event: Pick<SessionEvent, "conversation_id" | "seq">, pointer: string, value: Json): Json;
export function cite(event: Pick<SessionEvent, "conversation_id" | "seq">, pointer: string, value: Json): Json {
  const bytes = sizeOf(value);
  return bytes > LARGEST_VALUE ? { ...refTo(event, pointer, bytes) } : value;
}

/** The same for a text. */
export function citeText(
  event: Pick<SessionEvent, "conversation_id" | "seq">,
  pointer: string,
  text: string,
): string | Ref {
  const bytes = sizeOf(text);
  return bytes > LARGEST_VALUE ? refTo(event, pointer, bytes) : text;
}

/** Whether a value is a reference that has to be fetched. */
export function isRef(value: Json | Ref | undefined): value is { $ref: string; bytes: number } {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    typeof value.$ref === "string" &&
    typeof value.bytes === "number"
  );
}

function refTo(event: Pick<SessionEvent, "conversation_id" | "seq">, pointer: string, bytes: number): Ref {
  const conversation = encodeURIComponent(event.conversation_id ?? "");
  return {
    $ref: `/api/conversations/${conversation}/events?after=${event.seq - 1}&limit=1#/items/0/payload${pointer}`,
    bytes,
  };
}

function sizeOf(value: Json): number {
  if (value === null || typeof value === "number" || typeof value === "boolean") return 0;
  if (isJsonObject(value) && isEmpty(value)) return 2;
  const text = JSON.stringify(value);
  return text.length <= SURELY_SMALL ? text.length : encoder.encode(text).length;
}

function isEmpty(value: { [key: string]: Json }): boolean {
  for (const _ in value) return false;
  return true;
}
