import { createHash } from "node:crypto";
import { openDatabase } from "../database.ts";
import { TEMPLATE, urlOf } from "./databases.ts";

/** Set by tests of whole servers that run on Postgres: the address of the server that they have brought. */
export const TEST_POSTGRES = "OBELUS_TEST_POSTGRES";

/** Any key: the secrets of tests are none. */
const SECRET = "5e".repeat(32);

/**
 * The environment of a server with this data directory. Tests know their data by its directory; where they run on Postgres,
 * each directory has a database of its own, which is created the first time that it is asked for. Otherwise empty.
 */
export async function storageEnvironment(dataDir: string): Promise<Record<string, string>> {
  const server = process.env[TEST_POSTGRES];
  if (!server) return {};
  const name = `of_${createHash("sha256").update(dataDir).digest("hex").slice(0, 24)}`;
  const database = openDatabase(server, () => undefined, 1);
  const [known] = await database.rows("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
  if (!known) await database.run(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
  await database.close();
  return { OBELUS_DATABASE_URL: urlOf(server, name), OBELUS_SECRET: SECRET };
}
