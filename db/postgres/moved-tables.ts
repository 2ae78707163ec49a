import { DataRefused } from "../errors.ts";
import { keyOf, type MovedTable, PAGE, type Row, type Side, type Target, type Value } from "../move/tables.ts";
import type { Queries } from "./database.ts";
import { wordsWithPlaces } from "./search/words.ts";

/** Reads the tables of a move. */
export function postgresSide(queries: Queries): Side {
  return {
    async read(table, after) {
      const { columns, key, order } = namesOf(table);
      const beyond =
        after === null ? "" : `WHERE (${order.join(", ")}) > (${key.map((_, index) => `$${index + 1}`).join(", ")})`;
      const rows = await queries.rows<Record<string, Value>>(
        `SELECT ${columns.join(", ")} FROM (
           SELECT *, sum(${bytesOf(table)}) OVER (ORDER BY ${order.join(", ")}) - (${bytesOf(table)}) AS bytes_before FROM (
             SELECT ${columns.join(", ")} FROM ${table.name} ${beyond} ORDER BY ${order.join(", ")} LIMIT ${PAGE.rows}
           ) AS wanted
         ) AS page WHERE bytes_before < ${PAGE.bytes} ORDER BY ${order.join(", ")}`,
        after === null ? [] : keyOf(table, after),
      );
      return rows.map((row) => toRow(table, row));
    },
    async last(table) {
      const { columns, order } = namesOf(table);
      const [row] = await queries.rows<Record<string, Value>>(
        `SELECT ${columns.join(", ")} FROM ${table.name} ORDER BY ${order.map((one) => `${one} DESC`).join(", ")} LIMIT 1`,
      );
      return row ? toRow(table, row) : null;
    },
    async count({ name }) {
      const [row] = await queries.rows<{ count: number }>(`SELECT count(*) FROM ${name}`);
      return row?.count ?? 0;
    },
  };
}

/** The same, and writes them. */
export function postgresTarget(queries: Queries): Target {
  return {
    ...postgresSide(queries),
    async source() {
      await queries.run(MOVE);
      const [row] = await queries.rows<{ source: string }>("SELECT source FROM obelus_move");
      return row?.source ?? null;
    },
    async setSource(source) {
      if (source === null) await queries.run("DROP TABLE obelus_move");
      else await queries.run("INSERT INTO obelus_move (source) VALUES ($1)", [source]);
    },
    async write(table, rows) {
      const { columns } = namesOf(table);
      const kinds = Object.values(table.columns);
      const names = Object.keys(table.columns);
      const arrays = kinds.map((kind, index) => `$${index + 1}::${TYPES[kind]}[]`);
      const values = names.map((name, index) => rows.map((row) => written(table, name, row[index] ?? null)));
      const [more, words] = table.name === "conversations" ? withTitleWords(names, rows) : [[], []];
      await queries.run(
        `INSERT INTO ${table.name} (${[...columns, ...more].join(", ")}) OVERRIDING SYSTEM VALUE
         SELECT ${[...columns, ...more.map((name) => `${name}::tsvector`)].join(", ")}
         FROM unnest(${[...arrays, ...more.map((_, index) => `$${kinds.length + index + 1}::text[]`)].join(", ")})
           AS row (${[...columns, ...more].join(", ")})`,
        [...values, ...words],
      );
    },
  };
}

/** Of the move that is under way. */
const MOVE = "CREATE TABLE IF NOT EXISTS obelus_move (source text NOT NULL)";

/** Has no replica start on a database that was moved into a data directory. */
export async function markMoved(queries: Queries): Promise<void> {
  await queries.run("CREATE TABLE IF NOT EXISTS obelus_moved (at timestamptz NOT NULL DEFAULT now())");
}

/** Throws `DataRefused` for a database that a move has not filled yet, or that was moved: its open runs would be carried on a second time. */
export async function refuseUnmoved(queries: Queries): Promise<void> {
  const [row] = await queries.rows<{ moving: boolean; moved: boolean }>(
    "SELECT to_regclass('obelus_move') IS NOT NULL AS moving, to_regclass('obelus_moved') IS NOT NULL AS moved",
  );
  if (row?.moved)
    throw new DataRefused(
      "This database was moved into a data directory, and its open runs go on there: start Obelus without OBELUS_DATABASE_URL, or drop the table obelus_moved to use this copy",
    );
  if (row?.moving)
    throw new DataRefused(
      "A move into this database is not complete: run npm run move again, or name another database",
    );
}

/** Numbers of later rows follow those that were moved. */
export async function continueNumbers(queries: Queries, tables: readonly MovedTable[]): Promise<void> {
  for (const { name, columns } of tables)
    if ("place" in columns)
      await queries.rows(
        `SELECT setval(pg_get_serial_sequence('${name}', 'place'), coalesce((SELECT max(place) FROM ${name}), 0) + 1, false)`,
      );
}

const TYPES = { text: "text", integer: "bigint", place: "bigint", bytes: "bytea" } as const;

/** Texts are ordered byte by byte, as in SQLite, whatever the locale of the database. */
function namesOf({ columns, key }: MovedTable): { columns: string[]; key: string[]; order: string[] } {
  const quoted = (column: string) => `"${column}"`;
  return {
    columns: Object.keys(columns).map(quoted),
    key: key.map(quoted),
    order: key.map((column) => (columns[column] === "text" ? `"${column}" COLLATE "C"` : quoted(column))),
  };
}

function bytesOf({ columns }: MovedTable): string {
  const sized = Object.entries(columns).filter(([, kind]) => kind === "text" || kind === "bytes");
  return sized.map(([column]) => `coalesce(octet_length("${column}"), 0)`).join(" + ");
}

/** What was said is JSON here: it may have any character. */
function written({ name }: MovedTable, column: string, value: Value): Value {
  return name === "messages" && column === "content" ? JSON.stringify(value) : value;
}

function toRow({ name, columns }: MovedTable, row: Record<string, Value>): Row {
  return Object.keys(columns).map((column) => {
    const value = row[column] ?? null;
    return name === "messages" && column === "content" ? JSON.parse(String(value)) : value;
  });
}

function withTitleWords(names: readonly string[], rows: readonly Row[]): [string[], string[][]] {
  const [id, title] = [names.indexOf("id"), names.indexOf("title")];
  return [["title_words"], [rows.map((row) => wordsWithPlaces(`${row[id]}\n${row[title] ?? ""}`))]];
}
