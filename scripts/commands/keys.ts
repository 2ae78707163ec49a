import type { ApiKey } from "../../db/access.ts";
import { actorOf, SCOPES, type Scope } from "../../lib/access/caller.ts";
import { commandLine } from "../../lib/access/command-line.ts";
import { newKey } from "../../lib/access/tokens.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { checkName, oneOf, printTable, withAccess } from "./access.ts";

// API keys. The commands work while a server is running, and take effect at once.

/** Adds a key and prints it. `scopes`: separated by commas; `expires`: a day or a time. */
export async function addKey(given: string, options: { scopes: string; expires?: string }): Promise<void> {
  const name = checkName(given);
  const scopes = scopesOf(options.scopes);
  const expires_at = options.expires === undefined ? null : expiryOf(options.expires);
  const { key, ...kept } = newKey();
  await withAccess(async ({ keys, audit }) => {
    const requester = commandLine();
    const made = await keys.add({ name, scopes, expires_at, created_by: actorOf(requester.caller), ...kept });
    const after = { scopes, expires_at: made.expires_at };
    await audit.append({ action: "key.made", target: `key:${name}`, after }, requester);
  });
  console.error(`The key ${name}, shown only once:`);
  // The only text on standard output, so that a script can capture it.
  console.log(key);
}

/** Prints all keys. */
export async function listKeys(): Promise<void> {
  await withAccess(async ({ keys }) => {
    const all = await keys.list();
    if (all.length === 0) return console.log("There are no keys yet.");
    const rows = all.map((key) => [
      key.name,
      `${key.shown}…`,
      key.scopes.join(","),
      key.used_at ?? "unused",
      stateOf(key),
    ]);
    printTable([["NAME", "BEGINS", "SCOPES", "USED", "STATE"], ...rows]);
  });
}

function stateOf({ revoked_at, expires_at }: ApiKey): string {
  if (revoked_at !== null) return `revoked ${revoked_at}`;
  if (expires_at === null) return "holds";
  return Date.parse(expires_at) <= Date.now() ? `expired ${expires_at}` : `expires ${expires_at}`;
}

/** Revokes a key. */
export async function revokeKey(name: string): Promise<void> {
  await withAccess(async ({ keys, audit }) => {
    const key = (await keys.list()).find((each) => each.name === name);
    if (!key) throw new StartupError(`There is no key ${name}; npm run keys -- list shows all keys.`);
    if (key.revoked_at !== null) return console.log(`The key ${name} was revoked at ${key.revoked_at}.`);
    await keys.revoke(key.id);
    await audit.append({ action: "key.revoked", target: `key:${name}` }, commandLine());
    console.log(`The key ${name} is revoked.`);
  });
}

function scopesOf(list: string): Scope[] {
  const given = list.split(",").map((scope) => oneOf(SCOPES, scope.trim(), "Each of --scopes"));
  return SCOPES.filter((scope) => given.includes(scope));
}

/** A date, to the end of that day (UTC), or a time. */
function expiryOf(given: string): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(given);
  const time = Date.parse(isDay ? `${given}T23:59:59.999Z` : given);
  if (Number.isNaN(time) || time <= Date.now())
    throw new StartupError("--expires must be a future date or time, such as 2027-01-31.");
  return time;
}
