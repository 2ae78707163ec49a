import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServerProcess } from "../scripts/server-process.ts";
import ensureBuild from "./build.ts";

/** Before browser tests: one server with the demo in a log of its own, which ends after them. */
export default async function serve(): Promise<() => Promise<void>> {
  await ensureBuild();
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-e2e-"));
  const server = await startServerProcess(dataDir, { env: { OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1" } });
  process.env.OBELUS_E2E_URL = server.address;
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
