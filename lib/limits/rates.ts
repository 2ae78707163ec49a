import type { RateLimiterMemory } from "rate-limiter-flexible";
import type { Replicas } from "../../db/replicas.ts";
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

/** Other replicas are told this often what was counted, ms: for so long they may allow more. */
const TELL_MS = 200;

/** How many clients a notice counts, each in less than 70 bytes. */
const TOLD_AT_ONCE = 100;

/** The requests of clients, with or without credentials. */
type Counts = [kind: "known" | "nobody", client: string, requests: number][];

/**
 * Counts requests per client in windows of a minute from the first one; in memory, so that a restart resets them. Replicas
 * tell each other what they have counted: a store that all share would cost each request a write.
 */
export async function createRates(
  { each, strangers }: RateLimits,
  { tell, hear }: Pick<Replicas, "tell" | "hear">,
): Promise<Rates> {
  const limiters = { known: await limiterOf(each), nobody: await limiterOf(strangers) };
  const untold = { known: new Map<string, number>(), nobody: new Map<string, number>() };
  let isTelling = false;

  function tellCounts(): void {
    isTelling = false;
    const counts = KINDS.flatMap((kind): Counts => [...untold[kind]].map(([client, count]) => [kind, client, count]));
    for (const kind of KINDS) untold[kind].clear();
    for (let start = 0; start < counts.length; start += TOLD_AT_ONCE)
      tell("rates", JSON.stringify(counts.slice(start, start + TOLD_AT_ONCE)));
  }

  hear("rates", (text) => {
    const counts: Counts = JSON.parse(text);
    for (const [kind, client, count] of counts) void limiters[kind]?.penalty(client, count);
  });
  return async (requester) => {
    const kind = requester.caller.kind === "nobody" ? "nobody" : "known";
    const limiter = limiters[kind];
    if (limiter === null) return null;
    const limit = limiter.points;
    const client = clientOf(requester);
    untold[kind].set(client, (untold[kind].get(client) ?? 0) + 1);
    if (!isTelling) setTimeout(tellCounts, TELL_MS).unref();
    isTelling = true;
    const taken = await limiter.penalty(client);
    return {
      allowed: taken.consumedPoints <= limit,
      ...{ limit, left: taken.remainingPoints },
      seconds: Math.max(1, Math.ceil(taken.msBeforeNext / 1_000)),
    };
  };
}

const KINDS = ["known", "nobody"] as const;

/** Loaded only if there is a limit. */
async function limiterOf(points: number | null): Promise<RateLimiterMemory | null> {
  if (points === null) return null;
  const { RateLimiterMemory } = await import("rate-limiter-flexible");
  return new RateLimiterMemory({ points, duration: MINUTE_S });
}
