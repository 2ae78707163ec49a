import type { ApiKey } from "../../db/access.ts";
import { actorOf, SCOPES, type Scope } from "../../lib/access/caller.ts";
import { commandLine } from "../../lib/access/command-line.ts";
import { newKey } from "../../lib/access/tokens.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { checkName, oneOf, printTable, withAccess } from "./access.ts";
import { readArguments, runCommand } from "./command.ts";

/** API keys: `npm run keys`. Works while a server is running, and takes effect at once. */

const USAGE = `npm run keys -- add NAME --scopes ingest,read,decide [--expires 2027-01-31]
npm run keys -- list
npm run keys -- revoke NAME`;

const OPTIONS = { scopes: { type: "string" }, expires: { type: "string" } } as const;

await runCommand(async (args) => {
  const { values, positionals } = readArguments(args, OPTIONS, USAGE);
  const [command, name, ...others] = positionals;
  const { scopes, expires } = values;
  const isAdding = command === "add";
  if (others.length > 0 || isAdding !== (scopes !== undefined) || (!isAdding && expires !== undefined))
    throw new StartupError(USAGE);
  if (isAdding && name !== undefined) return add(checkName(name), scopesOf(scopes ?? ""), expiryOf(expires));
  if (command === "list" && name === undefined) return list();
  if (command === "revoke" && name !== undefined) return revoke(name);
  throw new StartupError(USAGE);
});

async function add(name: string, scopes: Scope[], expires_at: number | null): Promise<void> {
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

async function list(): Promise<void> {
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

async function revoke(name: string): Promise<void> {
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
function expiryOf(given: string | undefined): number | null {
  if (given === undefined) return null;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(given);
  const time = Date.parse(isDay ? `${given}T23:59:59.999Z` : given);
  if (Number.isNaN(time) || time <= Date.now())
    throw new StartupError("--expires must be a future date or time, such as 2027-01-31.");
  return time;
}
