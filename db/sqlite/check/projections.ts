import { IS_FINISHED } from "../../log/unfinished.ts";
import { type Connection, openTemporary } from "../connection.ts";
import { migrateDatabase } from "../migrate.ts";
import { pendingRebuilds } from "../projections/pending-rebuilds.ts";
import { rebuildFrom } from "../projections/rebuild-projections.ts";
import { type Check, counted, type Faults } from "./check-context.ts";

type Row = Readonly<Record<string, unknown>>;

/** A table of a projection, its key, and the rows to compare. */
interface Table {
  name: string;
  key: readonly string[];
  where?: string;
}

const TABLES: readonly Table[] = [
  { name: "messages", key: ["position"], where: IS_FINISHED },
  { name: "conversations", key: ["position"] },
  { name: "agent_state", key: ["agent_id", "key"] },
  { name: "agent_state_versions", key: ["agent_id", "key", "version"] },
  { name: "confirmations", key: ["position"] },
  { name: "alerts", key: ["position"] },
];

/**
 * Projections match the log (E4): all are rebuilt in a temporary database and compared row by row. That database is in
 * SQLite's temporary directory, and is about as large as all message texts.
 */
export const checkProjections: Check = {
  name: "projections",
  remedy: "Stop Obelus and run npm run rebuild.",
  run({ connection, tell }, faults) {
    const owed = pendingRebuilds(connection);
    if (owed.length > 0) return `not yet: the next start makes ${owed.join(", ")} anew`;
    const rebuilt = openTemporary();
    try {
      migrateDatabase(rebuilt);
      // Titles have an index of their own, which the check `search` covers.
      rebuilt.exec("DROP TRIGGER conversation_began; DROP TRIGGER conversation_titled");
      rebuildFrom(connection, rebuilt, ["messages", "standing", "conversations"], ({ projection, done, total }) =>
        tell(`${projection} ${Math.floor((100 * done) / Math.max(1, total))} %`),
      );
      let rows = 0;
      for (const table of TABLES) {
        tell(`comparing ${table.name}`);
        rows += compare(table, connection, rebuilt, faults);
      }
      return `${counted(rows, "row")} of ${counted(TABLES.length, "table")}`;
    } finally {
      rebuilt.close();
    }
  },
};

/** Merges both by key; returns the number of rows. */
function compare(
  { name, key, where = "TRUE" }: Table,
  stored: Connection,
  rebuilt: Connection,
  faults: Faults,
): number {
  const rowsOf = (connection: Connection, condition: string) =>
    connection.prepare<[], Row>(`SELECT * FROM ${name} WHERE ${condition} ORDER BY ${key.join(", ")}`).iterate();
  const left = rowsOf(stored, where);
  const right = rowsOf(rebuilt, "TRUE");
  let rows = 0;
  let [a, b] = [left.next(), right.next()];
  while (!a.done || !b.done) {
    const order = a.done ? 1 : b.done ? -1 : compareKeys(a.value, b.value, key);
    const place = placeOf(order > 0 ? b.value : a.value, key);
    if (order === 0) {
      const differing = Object.keys(a.value).filter((column) => a.value[column] !== b.value[column]);
      if (differing.length > 0) faults.add(`${name} ${place}: ${differing.join(", ")} differs from the log`);
    } else if (order < 0) faults.add(`${name} ${place}: not in the log`);
    else faults.add(`${name} ${place}: missing`);
    rows += 1;
    if (order <= 0) a = left.next();
    if (order >= 0) b = right.next();
  }
  return rows;
}

function placeOf(row: Row, key: readonly string[]): string {
  return key.map((column) => String(row[column])).join("/");
}

/** In SQLite's order: texts by bytes. */
function compareKeys(a: Row, b: Row, key: readonly string[]): number {
  for (const column of key) {
    const [left, right] = [a[column], b[column]];
    const order =
      typeof left === "number" && typeof right === "number"
        ? left - right
        : Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
    if (order !== 0) return order;
  }
  return 0;
}
