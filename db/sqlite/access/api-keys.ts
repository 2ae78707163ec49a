import { randomUUID } from "node:crypto";
import { type KeyRow, toKey } from "../../access/key-row.ts";
import type { KeyStore } from "../../access.ts";
import { Conflict } from "../../errors.ts";
import type { Connection } from "../connection.ts";
import type { Writer } from "../log/writer.ts";

const SELECT = `SELECT id, name, shown, scopes, created_at, created_by, expires_at, used_at, revoked_at FROM api_keys`;

/** API keys in SQLite. */
export function createKeyStore(writing: Connection, reading: Connection, writer: Writer): KeyStore {
  const all = reading.prepare<[], KeyRow>(`${SELECT} ORDER BY created_at DESC, rowid DESC`);
  const one = reading.prepare<[string], KeyRow>(`${SELECT} WHERE id = ?`);
  const byHash = reading.prepare<[string], KeyRow>(`${SELECT} WHERE token_hash = ?`);
  const now = writing.prepare<[string], KeyRow>(`${SELECT} WHERE id = ?`);
  const named = writing.prepare<[string]>("SELECT 1 FROM api_keys WHERE name = ?");
  const add = writing.prepare(
    `INSERT INTO api_keys (id, name, token_hash, shown, scopes, created_at, created_by, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const used = writing.prepare<[number, string]>("UPDATE api_keys SET used_at = ? WHERE id = ?");
  const revoke = writing.prepare<[number, string]>(
    "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
  );
  const found = (row: KeyRow | undefined) => (row ? toKey(row) : null);
  return {
    list: async () => all.all().map(toKey),
    get: async (id) => found(one.get(id)),
    find: async (tokenHash) => found(byHash.get(tokenHash)),
    add: ({ name, token_hash, shown, scopes, expires_at, created_by }) =>
      writer.submit(({ recordedAt }) => {
        if (named.get(name)) throw new Conflict(`The name ${name} is or was used by a key; choose another name`);
        const id = randomUUID();
        add.run(id, name, token_hash, shown, JSON.stringify(scopes), recordedAt, created_by, expires_at);
        return toKey({
          ...{ id, name, shown, scopes: JSON.stringify(scopes), created_at: recordedAt, created_by, expires_at },
          ...{ used_at: null, revoked_at: null },
        });
      }),
    used: (id) =>
      writer.submitPart(({ recordedAt }) => {
        used.run(recordedAt, id);
      }),
    revoke: (id) =>
      writer.submit(({ recordedAt }) => {
        revoke.run(recordedAt, id);
        return found(now.get(id));
      }),
  };
}
