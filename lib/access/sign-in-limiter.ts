import type { RateLimiterMemory } from "rate-limiter-flexible";
import type { Replicas } from "../../db/replicas.ts";
import { networkOf } from "../limits/client.ts";
import { foldedName } from "./rules.ts";

/** Delays attempts to guess passwords. */
export interface SignInLimiter {
  /**
   * Counts an attempt before it is made, so that concurrent ones count. Returns the seconds to wait; null: continue.
   * `isKnown`: the user is signed in from this address in another browser.
   */
  begin(name: string, address: string, isKnown: boolean): Promise<number | null>;
  /** The password was correct. */
  succeeded(name: string, address: string): Promise<void>;
}

/** The free attempts, the maximum wait, and when the count is reset; in seconds. */
interface Level {
  free: number;
  longest: number;
  memory: number;
}

/**
 * Attempts per name and address are limited soon. Names and addresses alone allow more, as they are shared; the wait
 * for a name is short, so that strangers cannot lock out its owner.
 */
const LEVELS = {
  pair: { free: 5, longest: 900, memory: 86_400 },
  name: { free: 50, longest: 30, memory: 3_600 },
  address: { free: 50, longest: 900, memory: 3_600 },
} as const satisfies Record<string, Level>;

/** The first wait, in seconds; it doubles each time. */
const FIRST_WAIT = 2;

/** What another replica has counted. */
interface Told {
  name: string;
  address: string;
  did: "tried" | "tried where known" | "succeeded";
}

/**
 * Counts in memory: a restart resets them, and takes longer than the first waits. Replicas tell each other at once, so that
 * attempts at all of them count everywhere.
 */
export function createSignInLimiter({ tell, hear }: Pick<Replicas, "tell" | "hear">): SignInLimiter {
  let loading: ReturnType<typeof load> | null = null;
  const limiters = () => {
    loading ??= load();
    return loading;
  };

  const triedOf = async (name: string, address: string, isKnown: boolean) => {
    const { pair, name: byName, address: byAddress } = await limiters();
    return [
      { level: pair, key: pairOf(name, address) },
      { level: byAddress, key: networkOf(address) },
      // At an address where the user is signed in, attempts from elsewhere do not count.
      ...(isKnown ? [] : [{ level: byName, key: foldedName(name) }]),
    ];
  };

  const begin: SignInLimiter["begin"] = async (name, address, isKnown) => {
    const tried = await triedOf(name, address, isKnown);
    const waits = await Promise.all(tried.map(({ level, key }) => level.wait(key)));
    const longest = Math.max(...waits);
    if (longest > 0) return longest;
    tellOthers({ name, address, did: isKnown ? "tried where known" : "tried" });
    await Promise.all(tried.map(({ level, key }) => level.count(key)));
    return null;
  };

  const succeed: SignInLimiter["succeeded"] = async (name, address) => {
    const { pair, name: byName, address: byAddress } = await limiters();
    await Promise.all([
      pair.forget(pairOf(name, address)),
      byName.takeBack(foldedName(name)),
      byAddress.takeBack(networkOf(address)),
    ]);
  };

  const tellOthers = (told: Told) => tell("sign-ins", JSON.stringify(told));
  hear("sign-ins", async (text) => {
    const { name, address, did }: Told = JSON.parse(text);
    if (did === "succeeded") return succeed(name, address);
    const tried = await triedOf(name, address, did === "tried where known");
    await Promise.all(tried.map(({ level, key }) => level.count(key)));
  });

  // One at a time: concurrent attempts would pass together.
  let last: Promise<unknown> = Promise.resolve();
  return {
    begin(name, address, isKnown) {
      const next = last.then(() => begin(name, address, isKnown));
      last = next.catch(() => undefined);
      return next;
    },
    succeeded(name, address) {
      tellOthers({ name, address, did: "succeeded" });
      return succeed(name, address);
    },
  };
}

async function load() {
  const { RateLimiterMemory } = await import("rate-limiter-flexible");
  const made = (level: Level) =>
    createLevel(
      level,
      new RateLimiterMemory({ points: level.free, duration: level.memory }),
      new RateLimiterMemory({ points: 1, duration: level.longest }),
    );
  return { pair: made(LEVELS.pair), name: made(LEVELS.name), address: made(LEVELS.address) };
}

function createLevel({ free, longest }: Level, tries: RateLimiterMemory, waits: RateLimiterMemory) {
  return {
    /** In seconds; 0 for none. */
    async wait(key: string): Promise<number> {
      const wait = await waits.get(key);
      return wait === null ? 0 : Math.max(0, Math.ceil(wait.msBeforeNext / 1_000));
    },
    async count(key: string): Promise<void> {
      const { consumedPoints } = await tries.penalty(key);
      if (consumedPoints >= free) await waits.block(key, Math.min(FIRST_WAIT * 2 ** (consumedPoints - free), longest));
    },
    async takeBack(key: string): Promise<void> {
      await tries.reward(key);
    },
    async forget(key: string): Promise<void> {
      await Promise.all([tries.delete(key), waits.delete(key)]);
    },
  };
}

function pairOf(name: string, address: string): string {
  return `${networkOf(address)} ${foldedName(name)}`;
}
