import { createHash } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import { digestsOfDatabase } from "../../../db/postgres/testing/digests.ts";
import { storageEnvironment } from "../../../db/postgres/testing/for-data-dir.ts";
import { ROLES, SCOPES } from "../../../lib/access/caller.ts";
import { createPasswords } from "../../../lib/access/passwords.ts";
import { newKey } from "../../../lib/access/tokens.ts";
import type { CallerName } from "./matrix.ts";
import { openStored } from "./storage.ts";

/** A caller's credentials. */
export type Credentials = Record<string, string>;

/** The password of all users. */
export const PASSWORD = "correct horse battery staple";

/** Adds a user for each role, named by it, and keys: one for each scope, a revoked and an expired one. */
export async function addPeople(dataDir: string): Promise<Map<CallerName, Credentials>> {
  const storage = await openStored(dataDir);
  const password_hash = await createPasswords().hash(PASSWORD);
  for (const role of ROLES) await storage.users.add({ name: role, role, password_hash });
  const callers = new Map<CallerName, Credentials>([["nobody", {}]]);
  const addKey = async (name: CallerName, scopes: readonly (typeof SCOPES)[number][], expires_at: number | null) => {
    const { key, token_hash, shown } = newKey();
    callers.set(name, { authorization: `Bearer ${key}` });
    return storage.keys.add({ name, token_hash, shown, scopes, expires_at, created_by: "operator:admin" });
  };
  for (const scope of SCOPES) await addKey(scope, [scope], null);
  const { id } = await addKey("revoked", SCOPES, null);
  await storage.keys.revoke(id);
  await addKey("expired", SCOPES, Date.now() - 1_000);
  await storage.close();
  return callers;
}

/** Signs each user in, and one in and out again. */
export async function signIn(url: string, callers: Map<CallerName, Credentials>): Promise<void> {
  for (const role of ROLES) callers.set(role, await cookieOf(url, role));
  const gone = await cookieOf(url, "admin");
  const answer = await fetch(`${url}/api/sign-out`, { method: "POST", headers: gone });
  if (answer.status !== 204) throw new Error(`Nobody could be signed out: ${answer.status}`);
  callers.set("signed out", gone);
}

/** Signs a user in, by role. */
export async function cookieOf(url: string, name: string): Promise<Credentials> {
  const answer = await fetch(`${url}/api/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ name, password: PASSWORD }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(";", 1)[0];
  if (answer.status !== 200 || cookie === undefined)
    throw new Error(`${name} could not sign in: ${answer.status} ${await answer.text()}`);
  return { cookie, origin: url };
}

/** Times of last use may change on a refusal. */
const NOTED = ["seen_at", "used_at"];

/** A digest of all tables but those that follow the log in the background: the search and the rollup. */
export async function digestsOf(dataDir: string): Promise<Record<string, string>> {
  const { OBELUS_DATABASE_URL: url } = await storageEnvironment(dataDir);
  if (url !== undefined) return digestsOfDatabase(url, NOTED);
  const database = new Database(join(dataDir, "obelus.sqlite"), { readonly: true });
  const tables = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%search%' AND name NOT LIKE 'rollup%' AND name <> 'conversation_totals' ORDER BY name",
    )
    .pluck()
    .all();
  const digests = tables.map((table) => {
    const hash = createHash("sha256");
    for (const row of database.prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}"`).iterate())
      hash.update(JSON.stringify(row, (key, value) => (NOTED.includes(key) ? null : value)));
    return [table, hash.digest("hex").slice(0, 12)];
  });
  database.close();
  return Object.fromEntries(digests);
}
