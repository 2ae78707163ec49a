import { randomUUID } from "node:crypto";
import type { Role } from "../../../lib/access/caller.ts";
import { foldedName } from "../../../lib/access/rules.ts";
import type { User, UserStore } from "../../access.ts";
import { Conflict } from "../../errors.ts";
import { toIso } from "../../times.ts";
import type { Connection } from "../connection.ts";
import type { Writer } from "../log/writer.ts";

interface UserRow {
  id: string;
  name: string;
  role: Role;
  password_hash: string | null;
  created_at: number;
  seen_at: number | null;
}

const SELECT = `SELECT id, name, role, password_hash, created_at,
  (SELECT max(seen_at) FROM sign_ins WHERE user_id = users.id) AS seen_at FROM users`;

/** Who signs in here, in SQLite. */
export function createUserStore(writing: Connection, reading: Connection, writer: Writer): UserStore {
  const read = prepareReads(reading);
  const now = prepareReads(writing);
  const write = prepareWrites(writing);

  /** Throws where nobody would be left to add users. Within the transaction that takes the rights. */
  function refuseLast(user: UserRow, role: Role | null): void {
    if (user.role === "admin" && role !== "admin" && now.admins.get() === 1)
      throw new Conflict(`${user.name} is the last administrator; make another user administrator first`);
  }

  return {
    list: async () => read.all.all().map(toUser).sort(byName),
    async get(id) {
      const row = read.one.get(id);
      return row ? toUser(row) : null;
    },
    async named(name) {
      const row = read.all.all().find((each) => foldedName(each.name) === foldedName(name));
      return row ? { user: toUser(row), password_hash: row.password_hash } : null;
    },
    count: async () => read.count.get() ?? 0,
    add: ({ name, role, password_hash }) =>
      writer.submit(({ recordedAt }) => {
        if (isTaken(now.names.all(), name)) throw new Conflict(`The user ${name} already exists; choose another name`);
        const row = { id: randomUUID(), name, role, password_hash, created_at: recordedAt, seen_at: null };
        write.add.run(row.id, name, role, password_hash, null, recordedAt);
        return toUser(row);
      }),
    setRole: (id, role) =>
      writer.submit(() => {
        const row = now.one.get(id);
        if (!row) return null;
        if (row.role === role) return { before: role, user: toUser(row) };
        refuseLast(row, role);
        write.role.run(role, id);
        write.signOut.run(id, "");
        return { before: row.role, user: toUser({ ...row, role, seen_at: null }) };
      }),
    setPassword: (id, passwordHash, keep = "") =>
      writer.submit(() => {
        const row = now.one.get(id);
        if (!row) return null;
        if (row.password_hash === null)
          throw new Conflict(`${row.name} signs in with OpenID Connect; change the password there`);
        write.password.run(passwordHash, id);
        write.signOut.run(id, keep);
        return toUser(now.one.get(id) ?? row);
      }),
    remove: (id) =>
      writer.submit(() => {
        const row = now.one.get(id);
        if (!row) return null;
        refuseLast(row, null);
        write.signOut.run(id, "");
        write.remove.run(id);
        return toUser({ ...row, seen_at: null });
      }),
    fromElsewhere: ({ subject, name, role }) =>
      writer.submit(({ recordedAt }) => {
        const row = now.bySubject.get(subject);
        if (!row) {
          const free = freeName(now.names.all(), name);
          const made = { id: randomUUID(), name: free, role, password_hash: null };
          write.add.run(made.id, free, role, null, subject, recordedAt);
          return { user: toUser({ ...made, created_at: recordedAt, seen_at: null }), before: null };
        }
        if (row.role !== role) {
          write.role.run(role, row.id);
          write.signOut.run(row.id, "");
        }
        return { user: toUser({ ...row, role }), before: row.role };
      }),
  };
}

function prepareReads(connection: Connection) {
  return {
    all: connection.prepare<[], UserRow>(SELECT),
    one: connection.prepare<[string], UserRow>(`${SELECT} WHERE id = ?`),
    bySubject: connection.prepare<[string], UserRow>(`${SELECT} WHERE subject = ?`),
    names: connection.prepare<[], string>("SELECT name FROM users").pluck(),
    count: connection.prepare<[], number>("SELECT count(*) FROM users").pluck(),
    admins: connection.prepare<[], number>("SELECT count(*) FROM users WHERE role = 'admin'").pluck(),
  };
}

function prepareWrites(connection: Connection) {
  return {
    add: connection.prepare<[string, string, Role, string | null, string | null, number]>(
      "INSERT INTO users (id, name, role, password_hash, subject, created_at) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    role: connection.prepare<[Role, string]>("UPDATE users SET role = ? WHERE id = ?"),
    password: connection.prepare<[string, string]>("UPDATE users SET password_hash = ? WHERE id = ?"),
    remove: connection.prepare<[string]>("DELETE FROM users WHERE id = ?"),
    signOut: connection.prepare<[user_id: string, keep: string]>(
      "DELETE FROM sign_ins WHERE user_id = ? AND token_hash <> ?",
    ),
  };
}

function toUser({ id, name, role, password_hash, created_at, seen_at }: UserRow): User {
  return {
    ...{ id, name, role },
    signs_in: password_hash === null ? "elsewhere" : "here",
    created_at: toIso(created_at),
    seen_at: seen_at === null ? null : toIso(seen_at),
  };
}

function byName(a: User, b: User): number {
  return a.name.localeCompare(b.name);
}

/** SQLite's own `lower` knows no letters but the Latin ones. */
function isTaken(names: readonly string[], name: string): boolean {
  return names.some((each) => foldedName(each) === foldedName(name));
}

/** The name, or the first of `anna 2`, `anna 3` … that nobody has. */
function freeName(names: readonly string[], name: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (!isTaken(names, candidate)) return candidate;
  }
}
