import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { storageEnvironment } from "../db/postgres/testing/for-data-dir.ts";
import { ENVIRONMENT, V8_OPTIONS } from "./memory-settings.mjs";
import { PROGRAMS, ROOT } from "./process.mjs";

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

/** A server process. */
export interface ServerProcess {
  /** `http://127.0.0.1:41234` */
  address: string;
  pid: number;
  /** Ends it by SIGTERM, or by the given signal, and waits for its exit. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts Obelus, or another server that prints its address when ready, on a free port, and waits for that. It uses the
 * build of `OBELUS_DIST_DIR`. Its log goes to ours, or is appended to the file `log`. Throws if it exits before.
 */
export async function startServerProcess(
  dataDir: string,
  { script = serverProgram(), env = {}, log }: { script?: string; env?: Record<string, string>; log?: string } = {},
): Promise<ServerProcess> {
  const logFile = log === undefined ? null : openSync(log, "a");
  const child = spawn(process.execPath, [...V8_OPTIONS, script], {
    cwd: ROOT,
    env: {
      ...{ ...ENVIRONMENT, ...process.env, ...compileCache(), HOST: "127.0.0.1", PORT: "0" },
      // Without delays of the scripted model.
      ...(await storageEnvironment(dataDir)),
      ...{ OBELUS_DATA_DIR: dataDir, OBELUS_LOG_LEVEL: "error", OBELUS_SCRIPTED_PACE: "0" },
      // No load balancer has to notice that it stops.
      OBELUS_SHUTDOWN_DELAY_SECONDS: "0",
      // Independent of the system's language.
      ...{ OBELUS_DEMO_LOCALE: "en", ...env },
    },
    stdio: ["ignore", "pipe", logFile ?? "inherit"],
  });
  if (logFile !== null) closeSync(logFile);
  const address = await readAddress(child, script);
  return {
    address,
    pid: child.pid ?? 0,
    async stop(signal = "SIGTERM") {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    },
  };
}

/** The server of the build of `OBELUS_DIST_DIR`, relative to the project. Throws without one. */
export function serverProgram(): string {
  const { OBELUS_DIST_DIR } = process.env;
  if (OBELUS_DIST_DIR === undefined) throw new Error("OBELUS_DIST_DIR is not set: a server is of a build");
  return join(OBELUS_DIST_DIR, PROGRAMS, "main.mjs");
}

/** Beside the build, as with `npm start`: without it each start takes 2 s more. */
function compileCache(): Record<string, string> {
  const { OBELUS_DIST_DIR } = process.env;
  return OBELUS_DIST_DIR === undefined ? {} : { NODE_COMPILE_CACHE: join(ROOT, OBELUS_DIST_DIR, "compile-cache") };
}

async function readAddress({ stdout }: ChildProcess, script: string): Promise<string> {
  if (!stdout) throw new Error("The server's output cannot be read");
  for await (const line of createInterface(stdout)) {
    const address = ADDRESS.exec(line)?.[0];
    if (!address) continue;
    // Further output is discarded, so that the process never blocks on it.
    stdout.resume();
    return address;
  }
  throw new Error(`${script} ended before it was ready`);
}
