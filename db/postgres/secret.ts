import { createHmac } from "node:crypto";
import { DataRefused } from "../errors.ts";
import type { Database, Queries } from "./database.ts";
import { LOCKS } from "./locks.ts";

const TABLE = "CREATE TABLE IF NOT EXISTS obelus_secret (digest text NOT NULL)";

/**
 * Keeps a digest of the secret that the database is first opened with, and throws `DataRefused` for another one: secrets of tools
 * could not be decrypted with it, and whoever has signed in at another replica would be signed out here.
 */
export async function refuseOtherSecret(database: Database, secret: Uint8Array): Promise<void> {
  const digest = digestOf(secret);
  const known = await database.transaction(true, async (queries) => {
    // Of replicas that start at once, one is the first.
    await queries.rows("SELECT pg_advisory_xact_lock($1)", [LOCKS.migration]);
    await queries.run(TABLE);
    await queries.run("INSERT INTO obelus_secret SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM obelus_secret)", [digest]);
    const [row] = await queries.rows<{ digest: string }>("SELECT digest FROM obelus_secret");
    return row?.digest;
  });
  if (known !== digest)
    throw new DataRefused(
      "OBELUS_SECRET is not the one that this database was first used with; set the same at all replicas, and after a move that of the data directory's secret.key. If it is lost, stop all replicas, run DELETE FROM obelus_secret, and register tools with secret headers again",
    );
}

/** Keeps the digest of the secret of a database that is being filled. */
export async function keepSecret(queries: Queries, secret: Uint8Array): Promise<void> {
  await queries.run(TABLE);
  await queries.run("DELETE FROM obelus_secret");
  await queries.run("INSERT INTO obelus_secret VALUES ($1)", [digestOf(secret)]);
}

function digestOf(secret: Uint8Array): string {
  return createHmac("sha256", secret).update("obelus secret").digest("hex");
}
