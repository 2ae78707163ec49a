import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { seal } from "./build.mjs";
import { Failure, main, ROOT } from "./process.mjs";

/** What is asked for once, so that its code is compiled. */
const PAGES = ["/", "/approvals", "/api/conversations", "/api/ready"];
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

// Makes a tree that is never written to again, for an image or a folder that belongs to root: a first start, on data of its
// own, leaves its compiled code beside the build, and from then on nothing is installed, built or marked there.
await main(async () => {
  const data = mkdtempSync(join(tmpdir(), "obelus-seal-"));
  try {
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
