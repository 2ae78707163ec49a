import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FullConfig } from "@playwright/test";
import { TEST_POSTGRES } from "../db/postgres/testing/for-data-dir.ts";
import { startPreparedServer } from "../db/postgres/testing/prepared-server.ts";
import { startServerProcess } from "../scripts/server-process.ts";
import ensureBuild from "./build.ts";

/**
 * Before browser tests: a server for each worker, with the demo in a log of its own; they end after them. With
 * `OBELUS_TEST_STORAGE=postgres`, these and all others that tests start have their data in a Postgres that it brings.
 */
export default async function serve({ workers }: FullConfig): Promise<() => Promise<void>> {
  await ensureBuild();
  const postgres = process.env.OBELUS_TEST_STORAGE === "postgres" ? await startPreparedServer() : null;
  if (postgres) process.env[TEST_POSTGRES] = postgres.url;
  const servers = await Promise.all(Array.from({ length: workers }, serveOne));
  process.env.OBELUS_E2E_URLS = servers.map(({ address }) => address).join(" ");
  return async () => {
    await Promise.all(servers.map(({ end }) => end()));
    await postgres?.stop();
  };
}

async function serveOne(): Promise<{ address: string; end: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-e2e-"));
  const server = await startServerProcess(dataDir, { env: { OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1" } });
  return {
    address: server.address,
    async end() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
