import { openDatabase } from "../../db/postgres/database.ts";

/** Rows of a table, a list of values for each. */
interface TableRows {
  name: string;
  columns: { name: string; type: string }[];
  rows: Row[];
}
type Row = (string | number | null)[];

/** The rows of a batch, as parameters of one statement for each table. */
type Statements = { text: string; values: Row[] }[];

/** The newest events that replicas have stored, with their messages and conversations, in batches to store them again. */
export async function readBatches(url: string, newest: number, batch: number): Promise<Statements[]> {
  const database = openDatabase(url, () => undefined, 1);
  async function read(name: string, where: string): Promise<TableRows> {
    const columns = await database.rows<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position`,
      [name],
    );
    const found = await database.rows<Record<string, string | number | null>>(`SELECT * FROM ${name} ${where}`);
    return { name, columns, rows: found.map((row) => columns.map((column) => row[column.name] ?? null)) };
  }
  const events = await read("events", `ORDER BY position DESC LIMIT ${newest}`);
  events.rows.reverse();
  const at = ({ columns }: TableRows, name: string) => columns.findIndex((column) => column.name === name);
  const first = events.rows[0]?.[at(events, "position")] ?? 0;
  const messages = await read("messages", `WHERE position >= ${first} ORDER BY position`);
  const conversations = await read("conversations", "");
  await database.close();
  const rowOf = new Map(conversations.rows.map((row) => [row[at(conversations, "id")], row]));
  const messageAt = new Map(messages.rows.map((row) => [row[at(messages, "position")], row]));
  return Array.from({ length: Math.ceil(events.rows.length / batch) }, (_, index) => {
    const part = events.rows.slice(index * batch, (index + 1) * batch);
    const touched = new Set(part.map((row) => rowOf.get(row[at(events, "conversation_id")] ?? null)));
    const said = part.map((row) => messageAt.get(row[at(events, "position")] ?? null));
    return [insert(events, part), insert(messages, said), insert(conversations, [...touched])];
  });
}

/** Stores batches in a database with the same tables and indexes, a transaction for each. Returns the seconds it took. */
export async function writeRaw(url: string, batches: readonly Statements[], connections: number): Promise<number> {
  const database = openDatabase(url, () => undefined, 1);
  const sessions = await Promise.all(Array.from({ length: connections }, () => database.connect()));
  const waiting = batches.values();
  const began = performance.now();
  await Promise.all(
    sessions.map(async (session) => {
      for (const statements of waiting)
        await Promise.all([
          session.run("BEGIN"),
          ...statements.map(({ text, values }) => session.run(text, values)),
          session.run("COMMIT"),
        ]);
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  await Promise.all(sessions.map((session) => session.close()));
  await database.close();
  return seconds;
}

/** `rows`: without those that are not there. */
function insert({ name, columns }: TableRows, rows: readonly (Row | undefined)[]): Statements[number] {
  const names = columns.map((column) => `"${column.name}"`).join(", ");
  // An array of vectors is sent as one of texts.
  const selected = columns.map(({ name, type }) => (type === "tsvector" ? `"${name}"::tsvector` : `"${name}"`));
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type === "tsvector" ? "text" : type}[]`);
  const conflict = name === "conversations" ? "ON CONFLICT (position) DO UPDATE SET summary = excluded.summary" : "";
  return {
    text: `INSERT INTO ${name} (${names}) SELECT ${selected.join(", ")} FROM unnest(${arrays.join(", ")}) AS row (${names}) ${conflict}`,
    values: columns.map((_, index) => rows.flatMap((row) => (row ? [row[index] ?? null] : []))),
  };
}
