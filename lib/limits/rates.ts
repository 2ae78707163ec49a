import type { RateLimiterMemory } from "rate-limiter-flexible";
import type { Requester } from "../access/caller.ts";
import { clientOf } from "./client.ts";

/** Requests per client and minute; null for no limit. */
export interface RateLimits {
  /** Of a key, a user, or an address without authentication. */
  each: number | null;
  /** Of an address without credentials. */
  strangers: number | null;
}

/** The state of a client's limit. */
export interface Rate {
  allowed: boolean;
  limit: number;
  /** Remaining requests in this minute. */
  left: number;
  /** Seconds until the next minute. */
  seconds: number;
}

/** Counts requests; null for clients without a limit. */
export type Rates = (requester: Pick<Requester, "caller" | "address">) => Promise<Rate | null>;

const MINUTE_S = 60;

/** Counts requests per client in windows of a minute from the first one; in memory, so that a restart resets them. */
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

/** Loaded only if there is a limit. */
async function limiterOf(points: number | null): Promise<RateLimiterMemory | null> {
  if (points === null) return null;
  const { RateLimiterMemory } = await import("rate-limiter-flexible");
  return new RateLimiterMemory({ points, duration: MINUTE_S });
}
