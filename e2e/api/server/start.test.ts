import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSourceLines } from "../../../lib/server/source-lines.ts";
import { ENVIRONMENT, V8_OPTIONS } from "../../../scripts/memory-settings.mjs";
import { PROGRAMS, ROOT } from "../../../scripts/process.mjs";
import { startServerProcess } from "../../../scripts/server-process.ts";

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "obelus-start-"));
});

afterEach(() => rm(dataDir, { recursive: true }));

test("npm start serves the console, with memory settings, and SIGTERM to npm ends everything, also an open stream", async () => {
  const npm = spawn("npm", ["start"], {
    cwd: ROOT,
    env: { ...process.env, HOST: "127.0.0.1", PORT: "0", OBELUS_DATA_DIR: dataDir, OBELUS_DEMO: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(npm, "exit");
  let address: string | undefined;
  for await (const line of createInterface(npm.stdout)) {
    address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address) break;
  }
  npm.stdout.resume();
  expect((await fetch(`${address}/`)).status).toBe(200);
  if (process.platform === "linux") {
    const [server] = (await readFile(`/proc/${npm.pid}/task/${npm.pid}/children`, "utf8")).split(" ");
    expect((await readFile(`/proc/${server}/cmdline`, "utf8")).split("\0")).toEqual(expect.arrayContaining(V8_OPTIONS));
    expect((await readFile(`/proc/${server}/environ`, "utf8")).split("\0")).toEqual(
      expect.arrayContaining(Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`)),
    );
  }
  const stream = await fetch(`${address}/api/stream`);

  npm.kill("SIGTERM");

  await expect(stream.text()).resolves.not.toContain("data:");
  await expect(ended).resolves.toEqual([0, null]);
  await expect(fetch(`${address}/api/health`)).rejects.toThrow();
});

test("modules of pages are preloaded before the first request", async () => {
  const log = join(dataDir, "log");
  const env = { OBELUS_DEMO: "0", OBELUS_LOG_LEVEL: "debug", NODE_DEBUG: "module" };
  const server = await startServerProcess(dataDir, { env, log });
  try {
    const loaded = async () => (await readFile(log, "utf8")).match(/ load "[^"]*\/server\/chunks\/ssr\/[^"]*"/g) ?? [];
    await vi.waitFor(async () => expect(await readFile(log, "utf8")).toContain("The modules of all pages are loaded"), {
      timeout: 30_000,
    });
    const before = await loaded();
    expect(before).not.toEqual([]);
    for (const path of ["/", "/approvals", "/plans"]) expect((await fetch(server.address + path)).status).toBe(200);
    expect(await loaded()).toEqual(before);
  } finally {
    await server.stop();
  }
});

test("stacks of the bundled server name lines of the sources, also in packages", () => {
  const programs = join(ROOT, process.env.OBELUS_DIST_DIR ?? "", PROGRAMS);
  const sourceLines = createSourceLines(`${pathToFileURL(programs).href}/`);
  for (const text of ["died; the next request starts another", "Connection terminated unexpectedly"]) {
    const [place] = globSync("*.mjs", { cwd: programs }).flatMap((file) => {
      const line = readFileSync(join(programs, file), "utf8")
        .split("\n")
        .findIndex((each) => each.includes(text));
      return line < 0 ? [] : [`${pathToFileURL(join(programs, file)).href}:${line + 1}:9`];
    });
    const frame = sourceLines(`at lose (${place})`);
    const [, file = "", line = ""] = /^at lose \((.+):(\d+)\)$/.exec(frame) ?? [];
    expect(readFileSync(join(ROOT, file), "utf8").split("\n")[Number(line) - 1], frame).toContain(text);
  }
  expect(sourceLines("at other (file:///srv/other.mjs:3:4)")).toBe("at other (file:///srv/other.mjs:3:4)");
});
