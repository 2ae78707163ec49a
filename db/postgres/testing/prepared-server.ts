import { openDatabase } from "../database.ts";
import { migrateDatabase } from "../migrate.ts";
import { TEMPLATE, urlOf } from "./databases.ts";
import { startServer, type TestServer } from "./server.ts";

/** Starts a Postgres with a database that those of tests are copies of. */
export async function startPreparedServer(options?: { durable: boolean }): Promise<TestServer> {
  const server = await startServer(options);
  const main = openDatabase(server.url, () => undefined);
  await main.run(`CREATE DATABASE ${TEMPLATE}`);
  await main.close();
  const template = openDatabase(urlOf(server.url, TEMPLATE), () => undefined);
  await migrateDatabase(template);
  await template.close();
  return server;
}
