import { whereOf } from "../../lib/session/find/find-in-event.ts";

/** The bits of a rowid for the step; no conversation has more than 16.7 million. */
const STEP_BITS = 24n;

/** Bits below the conversation: the step, and above it whether it is a message. */
export const WITHIN_BITS = STEP_BITS + 1n;

/**
 * The rowid of a step in the search index: the position of the conversation's row, then a bit for messages, then the
 * step. So the index alone gives the conversations that contain a word, and the maximum rowid of a conversation is its
 * newest matching message, or its newest matching step if no message matches. Null for steps above the limit.
 */
export function placeOf(conversation: number, seq: number, type: string): bigint | null {
  const step = BigInt(seq);
  if (step >= 1n << STEP_BITS) return null;
  const isMessage = whereOf(type) === "message" ? 1n : 0n;
  return (BigInt(conversation) << WITHIN_BITS) | (isMessage << STEP_BITS) | step;
}

/** The conversation of a rowid. */
export function conversationOf(place: bigint): number {
  return Number(place >> WITHIN_BITS);
}

/** The conversation of a rowid, as SQL. */
export const CONVERSATION_OF_PLACE = `(rowid >> ${WITHIN_BITS})`;

/** The part of a rowid within its conversation: greater ones first. As SQL; `stepOf` returns its step. */
export const WITHIN_CONVERSATION = `(rowid & ${(1n << WITHIN_BITS) - 1n})`;

/** The step of the part within a conversation. */
export function stepOf(within: number): number {
  return within % 2 ** Number(STEP_BITS);
}

/** The range of a conversation's rowids. */
export function placesOf(conversation: number): [first: bigint, last: bigint] {
  const first = BigInt(conversation) << WITHIN_BITS;
  return [first, first | ((1n << WITHIN_BITS) - 1n)];
}
