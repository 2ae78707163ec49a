import { randomUUID } from "node:crypto";
import { type KeyRow, toKey } from "../../access/key-row.ts";
import type { ApiKey, KeyStore } from "../../access.ts";
import { Conflict } from "../../errors.ts";
import type { Queries } from "../database.ts";
import type { PostgresWriter } from "../log/writer.ts";

const COLUMNS = "id, name, shown, scopes, created_at, created_by, expires_at, used_at, revoked_at";

/** The keys of programs. */
export function createKeyStore(database: Queries, writer: PostgresWriter): KeyStore {
  const one = async (column: "id" | "token_hash", value: string): Promise<ApiKey | null> => {
    const [row] = await database.rows<KeyRow>(`SELECT ${COLUMNS} FROM api_keys WHERE ${column} = $1`, [value]);
    return row ? toKey(row) : null;
  };
  return {
    async list() {
      const rows = await database.rows<KeyRow>(`SELECT ${COLUMNS} FROM api_keys ORDER BY place DESC`);
      return rows.map(toKey);
    },
    get: (id) => one("id", id),
    find: (tokenHash) => one("token_hash", tokenHash),
    add: ({ name, token_hash, shown, scopes, expires_at, created_by }) =>
      writer.submitDirect(async (queries, { recordedAt }) => {
        const taken = await queries.rows("SELECT 1 FROM api_keys WHERE name = $1", [name]);
        if (taken.length > 0) throw new Conflict(`The name ${name} is or was used by a key; choose another name`);
        const key = { id: randomUUID(), name, shown, scopes: JSON.stringify(scopes), created_at: recordedAt };
        await queries.run(
          `INSERT INTO api_keys (id, name, shown, scopes, created_at, token_hash, created_by, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [...Object.values(key), token_hash, created_by, expires_at],
        );
        return toKey({ ...key, created_by, expires_at, used_at: null, revoked_at: null });
      }),
    async used(id) {
      await database.run("UPDATE api_keys SET used_at = $1 WHERE id = $2", [Date.now(), id]);
    },
    async revoke(id) {
      await database.run("UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL", [Date.now(), id]);
      return one("id", id);
    },
  };
}
