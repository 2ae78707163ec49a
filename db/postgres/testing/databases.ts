/** The database that those of tests are copies of: with all tables, and nothing in them. */
export const TEMPLATE = "obelus_template";

/** The address of another database of a server. */
export function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
