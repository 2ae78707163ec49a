import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ALONE } from "../../db/replicas.ts";
import { createSignInLimiter, type SignInLimiter } from "./sign-in-limiter.ts";

let limiter: SignInLimiter;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  limiter = createSignInLimiter(ALONE);
});

afterEach(() => {
  vi.useRealTimers();
});

const fail = (name: string, address: string, isKnown = false) => limiter.begin(name, address, isKnown);

/** Fails as soon as allowed, a number of times; returns the waits in between, in seconds. */
async function waits(count: number, name: (n: number) => string, address: (n: number) => string): Promise<number[]> {
  const told: number[] = [];
  for (let n = 0; n < count; n++) {
    const wait = await fail(name(n), address(n));
    if (wait === null) continue;
    told.push(wait);
    vi.advanceTimersByTime(wait * 1_000);
    expect(await fail(name(n), address(n))).toBeNull();
  }
  return told;
}

test("Security: after five attempts per name and address each further one waits, up to 15 minutes", async () => {
  const told = await waits(
    17,
    () => "anna",
    () => "192.0.2.1",
  );
  expect(told).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
});

test("Security: an attempt during the wait is not made, and does not extend it", async () => {
  for (let n = 0; n < 5; n++) expect(await fail("anna", "192.0.2.1")).toBeNull();
  for (let n = 0; n < 20; n++) expect(await fail(n % 2 ? "Anna" : "\uff41nna", "192.0.2.1")).toBe(2);
});

test("Security: concurrent attempts are counted", async () => {
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => fail("anna", "192.0.2.1")));
  expect(outcomes.filter((wait) => wait === null).length).toBeLessThanOrEqual(6);
});

test("Security: the correct password resets the wait", async () => {
  for (let n = 0; n < 4; n++) await fail("anna", "192.0.2.1");
  await fail("anna", "192.0.2.1");
  await limiter.succeeded("anna", "192.0.2.1");
  for (let n = 0; n < 4; n++) expect(await fail("anna", "192.0.2.1")).toBeNull();
});

test("Security: attempts elsewhere block a name's owner for half a minute at most, and not where they are signed in", async () => {
  let longest = 0;
  for (let n = 0; n < 200; n++) {
    const wait = await fail("anna", `198.51.100.${n}`);
    longest = Math.max(longest, wait ?? 0);
    if (wait !== null) vi.advanceTimersByTime(wait * 1_000);
  }
  expect(longest).toBe(30);
  expect(await fail("anna", "192.0.2.1")).toBeGreaterThan(0);
  expect(await fail("anna", "192.0.2.2", true)).toBeNull();
});

test("Security: an address, or an IPv6 network, that tries many names waits", async () => {
  const told = await waits(
    60,
    (n) => `name ${n}`,
    (n) => `2001:db8:0:1::${n.toString(16)}`,
  );
  expect(told.slice(0, 3)).toEqual([2, 4, 8]);
  expect(await fail("another", "2001:db8:0:2::1")).toBeNull();
});

test("Security: attempts at other replicas count, and so does a success there", async () => {
  const heard: ((text: string, from: string) => void)[] = [];
  const others = (own: number) => ({
    tell(_: string, text: string) {
      for (const [index, hear] of heard.entries()) if (index !== own) hear(text, "other");
    },
    hear: (_: string, hear: (text: string, from: string) => void) => void heard.push(hear),
  });
  const [here, there] = [createSignInLimiter(others(0)), createSignInLimiter(others(1))];
  for (let n = 0; n < 5; n++) expect(await here.begin("anna", "192.0.2.1", false)).toBeNull();
  await vi.waitFor(async () => expect(await there.begin("anna", "192.0.2.1", false)).toBe(2));
  await here.succeeded("anna", "192.0.2.1");
  await vi.waitFor(async () => expect(await there.begin("anna", "192.0.2.1", false)).toBeNull());
});
