import type { AuditStore, User, UserStore } from "../../db/access.ts";
import type { Role } from "../../lib/access/caller.ts";
import { commandLine } from "../../lib/access/command-line.ts";
import { createPasswords } from "../../lib/access/passwords.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { checkName, printTable, withAccess } from "./access.ts";
import { readPassword } from "./password.ts";

// User accounts. The commands work while a server is running; users who lose permissions are signed out within a second.

const passwords = createPasswords();

/** Prints all users. */
export async function listUsers(): Promise<void> {
  const all = await withAccess(({ users }) => users.list());
  if (all.length === 0) return console.log("There are no users yet.");
  const rows = all.map(({ name, role, signs_in, seen_at }) => [name, role, signs_in, seen_at ?? "not signed in"]);
  printTable([["NAME", "ROLE", "SIGNS IN", "SEEN"], ...rows]);
}

/** Adds a user, whose password is read from the terminal or a pipe. */
export async function addUser(given: string, role: Role): Promise<void> {
  const name = checkName(given);
  const password_hash = await passwords.hash(await readPassword(name));
  await withAccess(async ({ users, audit }) => {
    await users.add({ name, role, password_hash });
    await audit.append({ action: "user.added", target: `user:${name}`, after: { role } }, commandLine());
  });
  console.log(`${name} can now sign in as ${role}.`);
}

/** Changes the role of a user. */
export async function setRole(name: string, role: Role): Promise<void> {
  await withUser(name, async (user, users, audit) => {
    const changed = await users.setRole(user.id, role);
    if (!changed || changed.before === role) return console.log(`${user.name} already is ${role}.`);
    const change = { before: { role: changed.before }, after: { role } };
    await audit.append({ action: "user.changed", target: `user:${user.name}`, ...change }, commandLine());
    console.log(`${user.name} is now ${role} and was signed out.`);
  });
}

/** Changes the password of a user. */
export async function setPassword(name: string): Promise<void> {
  const password_hash = await passwords.hash(await readPassword(name));
  await withUser(name, async (user, users, audit) => {
    await users.setPassword(user.id, password_hash);
    await audit.append({ action: "password.changed", target: `user:${user.name}` }, commandLine());
    console.log(`The password of ${user.name} was changed; ${user.name} was signed out.`);
  });
}

/** Removes a user. */
export async function removeUser(name: string): Promise<void> {
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
