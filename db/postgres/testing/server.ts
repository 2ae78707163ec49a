import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A Postgres that runs until it is stopped, or until this process ends. */
export interface TestServer {
  url: string;
  /** Restarts it: `SIGINT` ends it in order, `SIGQUIT` as a crash does. */
  restart(signal: "SIGINT" | "SIGQUIT"): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Postgres with nothing in it, on a socket of its own. `durable`: it syncs commits to disk, as a real one does. */
export async function startServer({ durable = false } = {}): Promise<TestServer> {
  const program = fileURLToPath(new URL("./server-process.ts", import.meta.url));
  // Its standard input ends with this process, however that ends.
  const child = spawn(process.execPath, [program, ...(durable ? ["--durable"] : [])], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines = createInterface(child.stdout);
  const url = await Promise.race([
    new Promise<string>((resolve) => lines.once("line", resolve)),
    exited.then(() => Promise.reject(new Error("Postgres did not start"))),
  ]);
  return {
    url,
    async restart(signal) {
      const isBack = new Promise<void>((resolve) => lines.once("line", () => resolve()));
      child.stdin.write(`${signal}\n`);
      await isBack;
    },
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}
