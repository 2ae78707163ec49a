import { keyOf, type MovedTable, PAGE, type Row, type Side, type Target, type Value } from "../move/tables.ts";
import type { Connection } from "./connection.ts";

/** Reads the tables of a move. */
export function sqliteSide(connection: Connection): Side {
  return {
    async read(table, after) {
      const { columns, key } = namesOf(table);
      const beyond = after === null ? "" : `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})`;
      const statement = connection
        .prepare<unknown[], Row>(
          `SELECT ${columns.join(", ")} FROM ${table.name} ${beyond} ORDER BY ${key.join(", ")} LIMIT ${PAGE.rows}`,
        )
        .raw();
      return firstOf(table, statement.iterate(...(after === null ? [] : keyOf(table, after))));
    },
    async last(table) {
      const { columns, key } = namesOf(table);
      const order = key.map((column) => `${column} DESC`).join(", ");
      const row = connection
        .prepare<[], Row>(`SELECT ${columns.join(", ")} FROM ${table.name} ORDER BY ${order} LIMIT 1`)
        .raw()
        .get();
      return row ? toRow(table, row) : null;
    },
    count: async ({ name }) => connection.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck().get() ?? 0,
  };
}

/** The same, and writes them. */
export function sqliteTarget(connection: Connection): Target {
  return {
    ...sqliteSide(connection),
    async source() {
      connection.exec(MOVE);
      return connection.prepare<[], string>("SELECT source FROM obelus_move").pluck().get() ?? null;
    },
    async setSource(source) {
      if (source === null) connection.exec("DROP TABLE obelus_move");
      else connection.prepare("INSERT INTO obelus_move (source) VALUES (?)").run(source);
    },
    async write(table, rows) {
      const { columns } = namesOf(table);
      const insert = connection.prepare(
        `INSERT INTO ${table.name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      );
      connection.transaction(() => {
        for (const row of rows) insert.run(...row);
      })();
    },
  };
}

/** Of the move that is under way. */
const MOVE = "CREATE TABLE IF NOT EXISTS obelus_move (source TEXT NOT NULL)";

function namesOf({ columns, key }: MovedTable): { columns: string[]; key: string[] } {
  const nameOf = (column: string) => (columns[column] === "place" ? "rowid" : `"${column}"`);
  return { columns: Object.keys(columns).map(nameOf), key: key.map(nameOf) };
}

function firstOf(table: MovedTable, rows: Iterable<Row>): Row[] {
  const page: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    page.push(toRow(table, row));
    for (const value of row) if (value !== null && typeof value === "object") bytes += value.length;
    for (const value of row) if (typeof value === "string") bytes += value.length;
    if (bytes >= PAGE.bytes) break;
  }
  return page;
}

/** What Postgres cannot hold is compared as it is stored there. */
function toRow({ name, columns }: MovedTable, row: Row): Row {
  const names = Object.keys(columns);
  return row.map((value, index): Value => {
    if (typeof value !== "string" || !value.includes("\0")) return value;
    return name === "messages" && names[index] === "content" ? value : value.replaceAll("\0", "\uFFFD");
  });
}
