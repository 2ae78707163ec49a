import type { HistoryLimits } from "./prompt.ts";
import { CHARACTERS_PER_TOKEN } from "./tokens.ts";

/** The space for the longest heading of a message and the line about messages left out, with some text. */
const SMALLEST = { max_tokens: 32, max_chars: 128, max_messages: 1 } as const satisfies Record<
  keyof HistoryLimits,
  number
>;

/** A limit without space for one message (H4). `message` is one sentence without its full stop. */
export class LimitTooSmall extends Error {
  readonly code = "limit_too_small";
  readonly limit: keyof HistoryLimits;

  constructor(limit: keyof HistoryLimits) {
    super(`The history needs a ${limit} of at least ${SMALLEST[limit]}; raise it, or omit it`);
    this.name = "LimitTooSmall";
    this.limit = limit;
  }
}

/** Throws LimitTooSmall if a limit has no space for a message (H4). */
export function assertLimits(limits: HistoryLimits): void {
  for (const limit of ["max_tokens", "max_chars", "max_messages"] as const) {
    const value = limits[limit];
    // Not `<`, so that NaN is refused.
    if (value !== null && !(value >= SMALLEST[limit])) throw new LimitTooSmall(limit);
  }
}

/** The maximum size of a history in code points; Infinity without a limit. */
export function charactersAllowed({ max_tokens, max_chars }: HistoryLimits): number {
  const byTokens = max_tokens === null ? Number.POSITIVE_INFINITY : Math.floor(max_tokens) * CHARACTERS_PER_TOKEN;
  return Math.min(byTokens, max_chars === null ? Number.POSITIVE_INFINITY : Math.floor(max_chars));
}

/** The maximum number of messages; Infinity without a limit. */
export function messagesAllowed({ max_messages }: HistoryLimits): number {
  return max_messages === null ? Number.POSITIVE_INFINITY : Math.floor(max_messages);
}
