import { randomUUID } from "node:crypto";
import type { Role } from "../../../lib/access/caller.ts";
import { foldedName } from "../../../lib/access/rules.ts";
import { byName, freeName, isTaken, refuseLast, toUser, type UserRow } from "../../access/user-row.ts";
import type { UserStore } from "../../access.ts";
import { Conflict } from "../../errors.ts";
import type { Connection } from "../connection.ts";
import type { Writer } from "../log/writer.ts";

const SELECT = `SELECT id, name, role, password_hash, created_at,
  (SELECT max(seen_at) FROM sign_ins WHERE user_id = users.id) AS seen_at FROM users`;

/** Users in SQLite. */
export function createUserStore(writing: Connection, reading: Connection, writer: Writer): UserStore {
  const read = prepareReads(reading);
  const now = prepareReads(writing);
  const write = prepareWrites(writing);

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
        refuseLast(row, role, now.admins.get() ?? 0);
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
        refuseLast(row, null, now.admins.get() ?? 0);
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
