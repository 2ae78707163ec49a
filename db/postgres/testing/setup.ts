import type { TestProject } from "vitest/node";
import { startPreparedServer } from "./prepared-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: string;
  }
}

/** Brings one Postgres for all tests of a run, which is stopped after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPreparedServer();
  project.provide("postgres", server.url);
  return server.stop;
}
