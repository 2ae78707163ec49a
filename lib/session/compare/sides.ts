import { isRef } from "../json/cite.ts";
import { isJsonObject, type Json } from "../json/json.ts";
import type { Session } from "../session.ts";

/** Whether an entry is on both sides, equal or not, or on one only. */
export type Presence = "same" | "changed" | "a" | "b";

/** An entry on the two sides of a comparison (C10). */
export interface Sides<T> {
  a: T | null;
  b: T | null;
}

/** The part of a session that is compared. */
export type Compared = Pick<
  Session,
  | "conversation_id"
  | "at"
  | "summary"
  | "messages"
  | "messages_before"
  | "runs"
  | "runs_before"
  | "plans"
  | "calls"
  | "calls_before"
  | "usage"
  | "memory"
  | "confirmations"
>;

/** The number of common steps at the start of two sessions if one is a fork of the other, or both of a third (E9). */
export function sharedSteps(a: Compared, b: Compared): number {
  const [ofA, ofB] = [a.summary.forked_from, b.summary.forked_from];
  const isSame = (one: typeof ofA, id: string | null) => one !== null && one.conversation_id === id;
  if (isSame(ofB, a.conversation_id)) return ofB?.seq ?? 0;
  if (isSame(ofA, b.conversation_id)) return ofA?.seq ?? 0;
  return ofA && ofB && isSame(ofA, ofB.conversation_id) ? Math.min(ofA.seq, ofB.seq) : 0;
}

/**
 * A value for comparison. One that is a reference is represented by its size: its address names its own session, and
 * two of one size are assumed equal.
 */
export function comparable(value: Json | undefined): Json | undefined {
  if (value === undefined) return undefined;
  if (isRef(value)) return { $ref: "", bytes: value.bytes };
  if (Array.isArray(value)) return value.map((entry) => comparable(entry) ?? null);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, comparable(entry) ?? null]));
}
