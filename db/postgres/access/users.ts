import { randomUUID } from "node:crypto";
import { foldedName } from "../../../lib/access/rules.ts";
import { byName, freeName, isTaken, refuseLast, toUser, type UserRow } from "../../access/user-row.ts";
import type { UserStore } from "../../access.ts";
import { Conflict } from "../../errors.ts";
import type { Queries } from "../database.ts";
import type { PostgresWriter } from "../log/writer.ts";

const SELECT = `SELECT id, name, role, password_hash, created_at,
  (SELECT max(seen_at) FROM sign_ins WHERE user_id = users.id) AS seen_at FROM users`;

/** Who signs in here. */
export function createUserStore(database: Queries, writer: PostgresWriter): UserStore {
  return {
    list: async () => (await database.rows<UserRow>(SELECT)).map(toUser).sort(byName),
    async get(id) {
      const row = await one(database, id);
      return row ? toUser(row) : null;
    },
    async named(name) {
      const rows = await database.rows<UserRow>(SELECT);
      const row = rows.find((each) => foldedName(each.name) === foldedName(name));
      return row ? { user: toUser(row), password_hash: row.password_hash } : null;
    },
    count: () => count(database, "SELECT count(*) FROM users"),
    add: ({ name, role, password_hash }) =>
      writer.submitDirect(async (queries, { recordedAt }) => {
        if (isTaken(await names(queries), name))
          throw new Conflict(`The user ${name} already exists; choose another name`);
        const row = { id: randomUUID(), name, role, password_hash, created_at: recordedAt, seen_at: null };
        await add(queries, row, null);
        return toUser(row);
      }),
    setRole: (id, role) =>
      writer.submitDirect(async (queries) => {
        const row = await one(queries, id);
        if (!row) return null;
        if (row.role === role) return { before: role, user: toUser(row) };
        refuseLast(row, role, await countAdmins(queries));
        await setRole(queries, id, role);
        return { before: row.role, user: toUser({ ...row, role, seen_at: null }) };
      }),
    setPassword: (id, passwordHash, keep = "") =>
      writer.submitDirect(async (queries) => {
        const row = await one(queries, id);
        if (!row) return null;
        if (row.password_hash === null)
          throw new Conflict(`${row.name} signs in with OpenID Connect; change the password there`);
        await queries.run("UPDATE users SET password_hash = $1 WHERE id = $2", [passwordHash, id]);
        await signOut(queries, id, keep);
        return toUser((await one(queries, id)) ?? row);
      }),
    remove: (id) =>
      writer.submitDirect(async (queries) => {
        const row = await one(queries, id);
        if (!row) return null;
        refuseLast(row, null, await countAdmins(queries));
        await signOut(queries, id, "");
        await queries.run("DELETE FROM users WHERE id = $1", [id]);
        return toUser({ ...row, seen_at: null });
      }),
    fromElsewhere: ({ subject, name, role }) =>
      writer.submitDirect(async (queries, { recordedAt }) => {
        const [row] = await queries.rows<UserRow>(`${SELECT} WHERE subject = $1`, [subject]);
        if (!row) {
          const free = freeName(await names(queries), name);
          const made = {
            id: randomUUID(),
            name: free,
            role,
            password_hash: null,
            created_at: recordedAt,
            seen_at: null,
          };
          await add(queries, made, subject);
          return { user: toUser(made), before: null };
        }
        if (row.role !== role) await setRole(queries, row.id, role);
        return { user: toUser({ ...row, role }), before: row.role };
      }),
  };
}

async function one(queries: Queries, id: string): Promise<UserRow | null> {
  const [row] = await queries.rows<UserRow>(`${SELECT} WHERE id = $1`, [id]);
  return row ?? null;
}

async function names(queries: Queries): Promise<string[]> {
  return (await queries.rows<{ name: string }>("SELECT name FROM users")).map(({ name }) => name);
}

async function count(queries: Queries, text: string): Promise<number> {
  const [row] = await queries.rows<{ count: number }>(text);
  return row?.count ?? 0;
}

const countAdmins = (queries: Queries) => count(queries, "SELECT count(*) FROM users WHERE role = 'admin'");

async function add(queries: Queries, user: UserRow, subject: string | null): Promise<void> {
  await queries.run(
    "INSERT INTO users (id, name, role, password_hash, subject, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
    [user.id, user.name, user.role, user.password_hash, subject, user.created_at],
  );
}

/** Who has other rights signs in again. */
async function setRole(queries: Queries, id: string, role: UserRow["role"]): Promise<void> {
  await queries.run("UPDATE users SET role = $1 WHERE id = $2", [role, id]);
  await signOut(queries, id, "");
}

async function signOut(queries: Queries, userId: string, keep: string): Promise<void> {
  await queries.run("DELETE FROM sign_ins WHERE user_id = $1 AND token_hash <> $2", [userId, keep]);
}
