/** A column with JSON, to take fields out of it in SQL: Postgres refuses JSON that has U+0000 anywhere, even to be read. */
export function jsonIn(column: string): string {
  return `replace(${column}, '\\u0000', '\\ufffd')::json`;
}
