import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { errorCode, StartupError } from "../startup-error.ts";

const FILE = "secret.key";
const KEY_BYTES = 32;

/**
 * The key that encrypts secrets in the log. It is in a file beside the database or in a setting, so that neither an
 * export nor a copy of the database alone can decrypt them. The file is created at the first start, readable by its
 * owner only. Throws `StartupError` if it is invalid.
 */
export async function secretKey({ secret, dataDir }: Pick<Config, "secret" | "dataDir">): Promise<Uint8Array> {
  if (secret !== null) return secret;
  const path = join(dataDir, FILE);
  const key = Buffer.from(await contentOf(path), "hex");
  if (key.length === KEY_BYTES) return key;
  throw new StartupError(
    `${path} does not contain a key of ${KEY_BYTES * 2} hex digits; restore it from a backup, or delete it and register tools with secret headers again.`,
  );
}

async function contentOf(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    const made = randomBytes(KEY_BYTES).toString("hex");
    await write(path, made);
    return made;
  }
}

/** Atomic: half a key after a power cut would make all secrets unreadable. */
async function write(path: string, content: string): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${content}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
