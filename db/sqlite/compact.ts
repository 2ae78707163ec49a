import { once } from "node:events";
import { Worker } from "node:worker_threads";

/**
 * Writes a database file anew in a thread: no free page, no slack of a page and no write-ahead log has what was deleted. Takes
 * about as much disk again as the database has. Nobody may write meanwhile.
 */
export async function compact(file: string): Promise<void> {
  const worker = new Worker(new URL("./compact-thread.ts", import.meta.url), { workerData: file });
  const [code] = await once(worker, "exit");
  if (code !== 0) throw new Error(`The database could not be written anew: its thread ended with code ${code}`);
}
