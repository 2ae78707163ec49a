import type { SignIn, SignInStore } from "../../access.ts";
import { Conflict } from "../../errors.ts";
import type { Connection } from "../connection.ts";
import type { Writer } from "../log/writer.ts";

/** Sign-ins in SQLite. */
export function createSignInStore(writing: Connection, reading: Connection, writer: Writer): SignInStore {
  const find = reading.prepare<[string], SignIn>(
    `SELECT user_id, name, role, seen_at, expires_at FROM sign_ins JOIN users ON users.id = user_id
     WHERE token_hash = ?`,
  );
  const knows = reading.prepare<[string, string]>("SELECT 1 FROM sign_ins WHERE user_id = ? AND address = ?");
  const user = writing.prepare<[string], { password_hash: string | null }>(
    "SELECT password_hash FROM users WHERE id = ?",
  );
  const forget = writing.prepare<[number]>("DELETE FROM sign_ins WHERE expires_at < ?");
  const add = writing.prepare(
    `INSERT INTO sign_ins (token_hash, user_id, created_at, seen_at, expires_at, address, user_agent)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const seen = writing.prepare<[number, string]>("UPDATE sign_ins SET seen_at = ? WHERE token_hash = ?");
  const end = writing.prepare<[string]>("DELETE FROM sign_ins WHERE token_hash = ?");
  return {
    add: ({ token_hash, user_id, proven, expires_at, address, user_agent }) =>
      writer.submit(({ recordedAt }) => {
        if (user.get(user_id)?.password_hash !== proven) throw new Conflict("The user was changed meanwhile; retry");
        forget.run(recordedAt);
        add.run(token_hash, user_id, recordedAt, recordedAt, expires_at, address, user_agent);
      }),
    find: async (tokenHash) => find.get(tokenHash) ?? null,
    seen: (tokenHash) =>
      writer.submitPart(({ recordedAt }) => {
        seen.run(recordedAt, tokenHash);
      }),
    end: (tokenHash) =>
      writer.submit(() => {
        end.run(tokenHash);
      }),
    knows: async (userId, address) => knows.get(userId, address) !== undefined,
  };
}
