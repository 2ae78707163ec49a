import { whereOf } from "../../lib/session/find/find-in-event.ts";

/** Bits of a place that tell the step; no conversation has more than 16.7 million. */
const STEP_BITS = 24n;

/** Bits below the conversation: the step, and above it whether it is a message. */
export const WITHIN_BITS = STEP_BITS + 1n;

/**
 * Where a step stands in the index of the search: by its conversation's place in the list's table, then messages after all
 * else, then by step. So the index alone tells the conversations that have a word, without a look at the log, and the
 * greatest place of one is its newest message that has it, or its newest step where no message does. Null for steps that
 * are too far in to be told.
 */
export function placeOf(conversation: number, seq: number, type: string): bigint | null {
  const step = BigInt(seq);
  if (step >= 1n << STEP_BITS) return null;
  const isMessage = whereOf(type) === "message" ? 1n : 0n;
  return (BigInt(conversation) << WITHIN_BITS) | (isMessage << STEP_BITS) | step;
}

/** Before all places of a conversation. */
export function firstPlaceOf(conversation: number): bigint {
  return BigInt(conversation) << WITHIN_BITS;
}

/** The conversation of a place. */
export function conversationOf(place: bigint): number {
  return Number(place >> WITHIN_BITS);
}

/** The conversation of a place, as SQL. */
export const CONVERSATION_OF_PLACE = `(rowid >> ${WITHIN_BITS})`;

/** The place within its conversation: greater ones go first. As SQL; `stepOf` tells its step. */
export const WITHIN_CONVERSATION = `(rowid & ${(1n << WITHIN_BITS) - 1n})`;

/** The step of a place within a conversation. */
export function stepOf(within: number): number {
  return within % 2 ** Number(STEP_BITS);
}

/** The first and the last place that a conversation may have. */
export function placesOf(conversation: number): [first: bigint, last: bigint] {
  const first = BigInt(conversation) << WITHIN_BITS;
  return [first, first | ((1n << WITHIN_BITS) - 1n)];
}
