import { beforeEach, expect, test, vi } from "vitest";
import type { ApiKey, KeyStore, SignInStore } from "../../db/access.ts";
import { createCookies } from "./cookies.ts";
import { createIdentification } from "./identify.ts";
import { tokenHash } from "./tokens.ts";

const HOUR_MS = 3_600_000;
const cookies = createCookies(new Uint8Array(32));
const cookie = cookies.make("obelus-sign-in", "token", 60, false).split(";", 1)[0];

let now: number;
let signIn: { user_id: string; name: string; role: "viewer"; seen_at: number; expires_at: number };
let key: ApiKey;
/** Stored uses; each waits until the test lets it end. */
let noted: PromiseWithResolvers<void>[];
let identification: ReturnType<typeof createIdentification>;
const onFailure = vi.fn();

beforeEach(() => {
  now = Date.parse("2026-01-31T12:00:00Z");
  noted = [];
  signIn = { user_id: "1", name: "anna", role: "viewer", seen_at: now, expires_at: now + 720 * HOUR_MS };
  const time = new Date(now).toISOString();
  key = {
    ...{ id: "k", name: "billing", shown: "obl_abc", scopes: ["read"], created_at: time, created_by: "operator:anna" },
    ...{ expires_at: null, used_at: time, revoked_at: null },
  };
  const note = () => {
    const waits = Promise.withResolvers<void>();
    noted.push(waits);
    return waits.promise;
  };
  const signIns: Pick<SignInStore, "find" | "seen"> = {
    find: async (hash) => (hash === tokenHash("token") ? signIn : null),
    seen: note,
  };
  const keys: Pick<KeyStore, "find" | "get" | "used"> = {
    find: async (hash) => (hash === tokenHash("obl_key") ? key : null),
    get: async () => key,
    used: note,
  };
  identification = createIdentification({ signIns, keys, cookies, idle: 12 * HOUR_MS, now: () => now, onFailure });
});

const byCookie = () => identification.identify({ cookie, authorization: undefined, secure: false });
const byKey = (authorization = "Bearer obl_key") => identification.identify({ cookie, authorization, secure: false });

test("Security: a sign-in lasts while it is used, and thirty days at most", async () => {
  const person = { kind: "person", id: "1", name: "anna", role: "viewer", sign_in: tokenHash("token") };
  expect(await byCookie()).toEqual({ caller: person, byCookie: true });
  now += 12 * HOUR_MS - 1;
  expect(await byCookie()).toMatchObject({ caller: { kind: "person" } });
  now += 1;
  expect(await byCookie()).toEqual({ caller: { kind: "nobody" }, byCookie: false });
  signIn.seen_at = now = signIn.expires_at;
  expect(await byCookie()).toMatchObject({ caller: { kind: "nobody" } });
});

test("Security: a clock that jumps back ends no sign-in", async () => {
  now -= 5 * HOUR_MS;
  expect(await byCookie()).toMatchObject({ caller: { kind: "person" } });
});

test("Security: uses are stored once a minute, however many are concurrent, and again after a failure", async () => {
  await Promise.all([byCookie(), byCookie()]);
  expect(noted).toHaveLength(0);
  now += 60_000;
  await Promise.all(Array.from({ length: 100 }, byCookie));
  expect(noted).toHaveLength(1);
  noted[0]?.reject(new Error("The disk is full"));
  await vi.waitFor(() => expect(onFailure).toHaveBeenCalledOnce());
  await byCookie();
  expect(noted).toHaveLength(2);
  await byKey();
  expect(noted).toHaveLength(3);
});

test("Security: an invalid key is refused with the reason, even with a valid cookie", async () => {
  expect(await byKey()).toMatchObject({ caller: { kind: "key", name: "billing", scopes: ["read"] }, byCookie: false });
  expect(await byKey("Bearer nonsense")).toEqual({ refused: expect.stringContaining("is unknown") });
  expect(await byKey("Bearer")).toEqual({ refused: expect.stringContaining("has no key") });
  key = { ...key, expires_at: new Date(now).toISOString() };
  expect(await byKey()).toEqual({ refused: expect.stringContaining("The key billing expired at") });
  key = { ...key, expires_at: null, revoked_at: new Date(now).toISOString() };
  expect(await byKey()).toEqual({ refused: expect.stringContaining("The key billing was revoked") });
});

test("Security: a proxy's credentials are no key", async () => {
  expect(await byKey("Basic YW5uYTpwYXNzd29yZA==")).toMatchObject({ caller: { kind: "person" } });
});

test("Security: cookies of another server, and TLS cookies without TLS, are ignored", async () => {
  const other = createCookies(new Uint8Array(32).fill(1)).make("obelus-sign-in", "token", 60, false).split(";", 1)[0];
  for (const sent of [other, "obelus-sign-in=token", `__Host-${cookie}`, "obelus-sign-in=", "%"])
    expect(await identification.identify({ cookie: sent, authorization: undefined, secure: false })).toMatchObject({
      caller: { kind: "nobody" },
    });
});
