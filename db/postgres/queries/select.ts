import { type Sql, sql } from "../../queries/sql.ts";
import type { Queries } from "../database.ts";

/** The rows of a statement whose values have marks, which Postgres numbers. */
export function select<Row extends object>(queries: Queries, { text, values }: Sql): Promise<Row[]> {
  let number = 0;
  return queries.rows<Row>(
    text.replaceAll("?", () => `$${++number}`),
    values,
  );
}

/** SQL without values. */
export function raw(text: string): Sql {
  return { text, values: [] };
}

/** As an array, since Postgres takes what it expects to be many for a table to join, and reads all of the other to do so. */
export function among(column: string, selected: Sql): Sql {
  return sql`${raw(column)} = ANY(ARRAY(${selected}))`;
}

export async function exists(queries: Queries, conversationId: string): Promise<boolean> {
  const found = await queries.rows("SELECT 1 FROM conversations WHERE id = $1", [conversationId]);
  return found.length > 0;
}
