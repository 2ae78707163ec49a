import type { RateLimiterMemory } from "rate-limiter-flexible";
import type { Requester } from "../access/caller.ts";
import { clientOf } from "./client.ts";

/** Requests that a client may send in a minute; null for any number. */
export interface RateLimits {
  /** A key, a person, and where nobody signs in an address. */
  each: number | null;
  /** An address from which nobody known asks. */
  strangers: number | null;
}

/** How a request stands to its limit. */
export interface Rate {
  allowed: boolean;
  limit: number;
  /** Requests that are left in this minute. */
  left: number;
  /** Until the next minute begins, in seconds. */
  seconds: number;
}

/** Counts requests; null for who has no limit. */
export type Rates = (requester: Pick<Requester, "caller" | "address">) => Promise<Rate | null>;

const MINUTE_S = 60;

/** Counts each client's requests, minute by minute from its first one on; in memory, so that a restart forgives. */
export async function createRates({ each, strangers }: RateLimits): Promise<Rates> {
  const known = await limiterOf(each);
  const nobody = await limiterOf(strangers);
  return async (requester) => {
    const limiter = requester.caller.kind === "nobody" ? nobody : known;
    if (limiter === null) return null;
    const limit = limiter.points;
    const taken = await limiter.penalty(clientOf(requester));
    return {
      allowed: taken.consumedPoints <= limit,
      ...{ limit, left: taken.remainingPoints },
      seconds: Math.max(1, Math.ceil(taken.msBeforeNext / 1_000)),
    };
  };
}

/** Loaded only where there is a limit. */
async function limiterOf(points: number | null): Promise<RateLimiterMemory | null> {
  if (points === null) return null;
  const { RateLimiterMemory } = await import("rate-limiter-flexible");
  return new RateLimiterMemory({ points, duration: MINUTE_S });
}
