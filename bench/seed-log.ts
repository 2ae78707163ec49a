import { join } from "node:path";
import { openForWriting } from "../db/sqlite/connection.ts";
import { DATABASE_FILE } from "../db/sqlite/open.ts";
import { startServerProcess } from "../scripts/server-process.ts";
import { sessionEvents, take } from "./events.ts";
import { fire } from "./load.ts";

/** The session that a server ingests; all others are copies of it. */
const SESSION = 20_000;
const BATCH = 1_000;

/**
 * Creates a log of at least this many events in a data directory that no server uses: a session, then copies of its
 * rows under other names. A million takes about ten seconds.
 */
export async function seedLog(dataDir: string, events: number): Promise<void> {
  const server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
  const session = sessionEvents("seeded");
  for (let posted = 0; posted < SESSION; posted += BATCH)
    await fire(server.address, [{ path: "/api/events", body: JSON.stringify(take(session, BATCH)) }], 1);
  await server.stop();
  const connection = openForWriting(join(dataDir, DATABASE_FILE), "normal");
  try {
    for (let copy = 1; copy * SESSION < events; copy += 1)
      connection.transaction(() => {
        for (const table of ["events", "messages", "conversations"]) copyRows(connection, table, copy);
      })();
    // The copies are not indexed: a server would index them for minutes.
    connection.exec("UPDATE search_progress SET position = (SELECT max(position) FROM events)");
  } finally {
    connection.close();
  }
}

/** Appends copies of the session's rows with its name replaced. */
function copyRows(connection: ReturnType<typeof openForWriting>, table: string, copy: number): void {
  const values = connection
    .prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`)
    .pluck()
    .all()
    .map((column) => {
      if (column === "position") return `position + ${copy * SESSION}`;
      return ["id", "conversation_id", "run_id", "summary"].includes(column)
        ? `replace(${column}, 'seeded', 'seeded-${copy}')`
        : column;
    });
  const name = table === "conversations" ? "id" : "conversation_id";
  connection.prepare(`INSERT INTO ${table} SELECT ${values} FROM ${table} WHERE ${name} = 'seeded'`).run();
}
