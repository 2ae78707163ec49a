import { openDatabase } from "../database.ts";

/** A digest of the rows of each table but those that follow the log in the background, without some columns. */
export async function digestsOfDatabase(url: string, without: readonly string[]): Promise<Record<string, string>> {
  const database = openDatabase(url, () => undefined, 1);
  const tables = await database.rows<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '%search%' AND tablename NOT LIKE 'rollup%' AND tablename <> 'conversation_totals' ORDER BY 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await database.rows<{ digest: string }>(
      `SELECT md5(coalesce(string_agg(row, '' ORDER BY row), '')) AS digest
       FROM (SELECT (to_jsonb(each) - $1::text[])::text AS row FROM "${name}" AS each) AS rows`,
      [without],
    );
    digests[name] = row?.digest ?? "";
  }
  await database.close();
  return digests;
}
