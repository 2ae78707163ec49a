import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { callServer, Refusal } from "./call-server.ts";
import { addressOf, fileNameOf } from "./memory-file.ts";

const page = z.object({ items: z.array(z.object({ user_id: z.string() })), next: z.string().nullable() });

/**
 * Writes the memory documents of all users, or of one, into a folder, which is created if missing; files are private to
 * their owner. Continues after errors, and returns a sentence for each.
 */
export async function exportMemories(folder: string, userId: string | null): Promise<string[]> {
  const users = userId === null ? await listUsers() : [userId];
  await writing(mkdir(folder, { recursive: true, mode: 0o700 }));
  const faults: string[] = [];
  for (const user of users) {
    try {
      await exportMemory(folder, user);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      faults.push(`${user}: ${error.message}`);
    }
  }
  console.log(`${users.length - faults.length} of ${users.length} documents are in ${folder}`);
  return faults;
}

async function listUsers(): Promise<string[]> {
  const users: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = new URLSearchParams({ limit: "200", ...(cursor !== "" && { cursor }) });
    const { items, next } = page.parse(await (await callServer(`/api/memory?${query}`)).json());
    users.push(...items.map(({ user_id }) => user_id));
    cursor = next;
  }
  return users;
}

/** Written to a temporary file and renamed, so that a file is always complete. */
async function exportMemory(folder: string, userId: string): Promise<void> {
  const response = await callServer(addressOf(userId));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const aside = join(folder, `.writing-${process.pid}`);
  try {
    await writing(writeFile(aside, bytes, { mode: 0o600 }));
    await writing(rename(aside, join(folder, fileNameOf(userId))));
  } finally {
    await rm(aside, { force: true });
  }
}

/** Throws a `Refusal` with the file system's error. */
async function writing<T>(task: Promise<T>): Promise<T> {
  return await task.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENAMETOOLONG") throw new Refusal(error.message);
    throw new Refusal("the user id is too long for a file name; read the document from the API instead");
  });
}
