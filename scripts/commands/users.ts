import type { AuditStore, User, UserStore } from "../../db/access.ts";
import { ROLES } from "../../lib/access/caller.ts";
import { commandLine } from "../../lib/access/command-line.ts";
import { createPasswords } from "../../lib/access/passwords.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { checkName, oneOf, printTable, withAccess } from "./access.ts";
import { readArguments, runCommand } from "./command.ts";
import { readPassword } from "./password.ts";

/**
 * User accounts: `npm run users`. Works while a server is running; users who lose permissions are signed out within a
 * second.
 */

const USAGE = `npm run users -- add NAME --role viewer|operator|admin
npm run users -- list
npm run users -- role NAME viewer|operator|admin
npm run users -- password NAME
npm run users -- remove NAME`;

const passwords = createPasswords();

await runCommand(async (args) => {
  const { values, positionals } = readArguments(args, { role: { type: "string" } }, USAGE);
  const [command, name, role, ...others] = positionals;
  const isRole = command === "role";
  const isKnown = isRole || (role === undefined && (command === "list") === (name === undefined));
  if (!isKnown || others.length > 0 || (values.role !== undefined) !== (command === "add"))
    throw new StartupError(USAGE);
  // Read before anything is opened, as typing takes time.
  switch (command) {
    case "list":
      return withAccess(({ users }) => list(users));
    case "add":
      return add(checkName(name ?? ""), oneOf(ROLES, values.role, "--role"));
    case "role":
      return setRole(name ?? "", oneOf(ROLES, role, "The role"));
    case "password":
      return setPassword(name ?? "");
    case "remove":
      return remove(name ?? "");
    default:
      throw new StartupError(USAGE);
  }
});

async function list(users: UserStore): Promise<void> {
  const all = await users.list();
  if (all.length === 0) return console.log("There are no users yet.");
  const rows = all.map(({ name, role, signs_in, seen_at }) => [name, role, signs_in, seen_at ?? "not signed in"]);
  printTable([["NAME", "ROLE", "SIGNS IN", "SEEN"], ...rows]);
}

async function add(name: string, role: (typeof ROLES)[number]): Promise<void> {
  const password_hash = await passwords.hash(await readPassword(name));
  await withAccess(async ({ users, audit }) => {
    await users.add({ name, role, password_hash });
    await audit.append({ action: "user.added", target: `user:${name}`, after: { role } }, commandLine());
  });
  console.log(`${name} can now sign in as ${role}.`);
}

async function setRole(name: string, role: (typeof ROLES)[number]): Promise<void> {
  await withUser(name, async (user, users, audit) => {
    const changed = await users.setRole(user.id, role);
    if (!changed || changed.before === role) return console.log(`${user.name} already is ${role}.`);
    const change = { before: { role: changed.before }, after: { role } };
    await audit.append({ action: "user.changed", target: `user:${user.name}`, ...change }, commandLine());
    console.log(`${user.name} is now ${role} and was signed out.`);
  });
}

async function setPassword(name: string): Promise<void> {
  const password_hash = await passwords.hash(await readPassword(name));
  await withUser(name, async (user, users, audit) => {
    await users.setPassword(user.id, password_hash);
    await audit.append({ action: "password.changed", target: `user:${user.name}` }, commandLine());
    console.log(`The password of ${user.name} was changed; ${user.name} was signed out.`);
  });
}

async function remove(name: string): Promise<void> {
  await withUser(name, async (user, users, audit) => {
    await users.remove(user.id);
    const before = { role: user.role };
    await audit.append({ action: "user.removed", target: `user:${user.name}`, before }, commandLine());
    console.log(`${user.name} was removed and signed out.`);
  });
}

async function withUser(
  name: string,
  act: (user: User, users: UserStore, audit: AuditStore) => Promise<void>,
): Promise<void> {
  await withAccess(async ({ users, audit }) => {
    const found = await users.named(name);
    if (!found) throw new StartupError(`There is no user ${name}; npm run users -- list shows all users.`);
    await act(found.user, users, audit);
  });
}
