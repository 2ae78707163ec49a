import { fork } from "node:child_process";
import { on } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Writer } from "../log/writer.ts";

const PROCESS = fileURLToPath(new URL("./clear-leftovers-process.ts", import.meta.url));

/**
 * Overwrites remains of deleted rows in the gaps of SQLite's pages, and empties the write-ahead log. A separate process
 * does it, and pauses the writer for some milliseconds now and then. Throws if the signal aborts.
 */
export async function clearLeftovers(file: string, writer: Writer, signal: AbortSignal): Promise<void> {
  const stdio = ["ignore", "ignore", "pipe", "ipc"] as const;
  const child = fork(PROCESS, [file], { execArgv: [], stdio: [...stdio], signal, killSignal: "SIGKILL" });
  const told = child.stderr ? text(child.stderr) : "";
  const messages = on(child, "message", { close: ["exit"] });
  try {
    for await (const _ of messages)
      await writer.pause(async () => {
        child.send("paused");
        // That the writer may continue, or that it has finished.
        await messages.next();
      });
    if (child.exitCode !== 0)
      throw new Error(`Could not overwrite deleted content: ${(await told).trim() || child.signalCode}`);
  } finally {
    child.kill("SIGKILL");
  }
}
