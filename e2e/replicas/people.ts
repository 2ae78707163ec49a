import { SCOPES } from "../../lib/access/caller.ts";
import { createPasswords } from "../../lib/access/passwords.ts";
import { newKey } from "../../lib/access/tokens.ts";
import { readConfig } from "../../lib/server/config.ts";
import { createLogger } from "../../lib/server/logger.ts";
import { openAccessData } from "../../lib/server/wiring/open-data.ts";
import { PASSWORD } from "../api/setup/people.ts";
import { type Cluster, SECRET } from "./cluster.ts";

/** Adds the user `admin`, as the command does, and keys for everything that programs may do: their headers. */
export async function addPeople(
  { replicas: [first] }: Pick<Cluster, "replicas">,
  keys: readonly string[],
): Promise<Record<string, string>[]> {
  const config = readConfig({
    OBELUS_DATABASE_URL: `postgres://postgres@127.0.0.1:${first?.way.port}/postgres`,
    OBELUS_SECRET: SECRET,
  });
  const storage = await openAccessData(config, createLogger("silent", []));
  const password_hash = await createPasswords().hash(PASSWORD);
  await storage.users.add({ name: "admin", role: "admin", password_hash });
  const headers: Record<string, string>[] = [];
  for (const name of keys) {
    const { key, token_hash, shown } = newKey();
    await storage.keys.add({ name, token_hash, shown, scopes: SCOPES, expires_at: null, created_by: "test" });
    headers.push({ authorization: `Bearer ${key}` });
  }
  await storage.close();
  return headers;
}
