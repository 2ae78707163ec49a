import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { claimBuild, compileServer, seal } from "./build.mjs";
import { Failure, main, ROOT } from "./process.mjs";

/** Requested once, so that their code is compiled. */
const PAGES = ["/", "/approvals", "/api/conversations", "/api/ready"];
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

// Prepares a read-only tree, for an image or a folder owned by root: starts the server once, so that its compiled code
// is stored beside the build, and seals the tree against installing and building.
await main(async () => {
  const data = mkdtempSync(join(tmpdir(), "obelus-seal-"));
  try {
    // The cache is of the user who runs it.
    await compileServer(claimBuild());
    await startOnce(data);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
  seal();
});

/** @param {string} data */
async function startOnce(data) {
  const env = { HOST: "127.0.0.1", PORT: "0", OBELUS_AUTH: "0", OBELUS_DATA_DIR: data, OBELUS_LOG_LEVEL: "error" };
  const server = spawn(process.execPath, ["scripts/serve.mjs"], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  for await (const line of createInterface(server.stdout)) {
    const address = ADDRESS.exec(line)?.[0];
    if (!address) continue;
    for (const page of PAGES) await (await fetch(`${address}${page}`)).arrayBuffer();
    server.kill("SIGTERM");
  }
  const [code] = await ended;
  if (code !== 0) throw new Failure("The server did not start, so nothing was sealed; see above.");
}
