import type { SignIn, SignInStore } from "../../access.ts";
import { Conflict } from "../../errors.ts";
import type { Queries } from "../database.ts";
import type { PostgresWriter } from "../log/writer.ts";

/** Who is signed in where. */
export function createSignInStore(database: Queries, writer: PostgresWriter): SignInStore {
  return {
    add: ({ token_hash, user_id, proven, expires_at, address, user_agent }) =>
      writer.submitDirect(async (queries, { recordedAt }) => {
        const [user] = await queries.rows<{ password_hash: string | null }>(
          "SELECT password_hash FROM users WHERE id = $1",
          [user_id],
        );
        if (user?.password_hash !== proven) throw new Conflict("The user was changed meanwhile; retry");
        await queries.run("DELETE FROM sign_ins WHERE expires_at < $1", [recordedAt]);
        await queries.run(
          `INSERT INTO sign_ins (token_hash, user_id, created_at, seen_at, expires_at, address, user_agent)
           VALUES ($1, $2, $3, $3, $4, $5, $6)`,
          [token_hash, user_id, recordedAt, expires_at, address, user_agent],
        );
      }),
    async find(tokenHash) {
      const [signIn] = await database.rows<SignIn>(
        `SELECT user_id, name, role, seen_at, expires_at FROM sign_ins JOIN users ON users.id = user_id
         WHERE token_hash = $1`,
        [tokenHash],
      );
      return signIn ?? null;
    },
    async seen(tokenHash) {
      await database.run("UPDATE sign_ins SET seen_at = $1 WHERE token_hash = $2", [Date.now(), tokenHash]);
    },
    async end(tokenHash) {
      await database.run("DELETE FROM sign_ins WHERE token_hash = $1", [tokenHash]);
    },
    async knows(userId, address) {
      const found = await database.rows("SELECT 1 FROM sign_ins WHERE user_id = $1 AND address = $2 LIMIT 1", [
        userId,
        address,
      ]);
      return found.length > 0;
    },
  };
}
