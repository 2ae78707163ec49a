import type { TestProject } from "vitest/node";
import { openDatabase } from "../database.ts";
import { migrateDatabase } from "../migrate.ts";
import { TEMPLATE, urlOf } from "./databases.ts";
import { startServer } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: string;
  }
}

/** Brings one Postgres for all tests of a run, which is stopped after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const main = openDatabase(server.url, () => undefined);
  await main.run(`CREATE DATABASE ${TEMPLATE}`);
  await main.close();
  const template = openDatabase(urlOf(server.url, TEMPLATE), () => undefined);
  await migrateDatabase(template);
  await template.close();
  project.provide("postgres", server.url);
  return server.stop;
}
