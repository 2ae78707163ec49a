import { workerData } from "node:worker_threads";
import Sqlite from "better-sqlite3";

// The entry of the thread that writes the database anew: the main one goes on answering meanwhile. Readers of the old pages
// are short, and waited for.
const PATIENCE_MS = 60_000;

const connection = new Sqlite(String(workerData), { timeout: PATIENCE_MS, fileMustExist: true });
try {
  // Words of what was deleted stay in the indexes until they are put together.
  for (const index of ["event_search", "conversation_search"])
    connection.exec(`INSERT INTO ${index} (${index}) VALUES ('optimize')`);
  connection.exec("VACUUM");
  const busy = connection.pragma("wal_checkpoint(TRUNCATE)", { simple: true });
  if (busy !== 0) throw new Error("The write-ahead log could not be emptied, because somebody reads the database");
} finally {
  connection.close();
}
