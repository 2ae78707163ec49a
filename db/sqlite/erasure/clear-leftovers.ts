import { fork } from "node:child_process";
import { on } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Writer } from "../log/writer.ts";

const PROCESS = fileURLToPath(new URL("./clear-leftovers-process.ts", import.meta.url));

/**
 * Clears what SQLite left of deleted rows in the gaps of its pages, and the write-ahead log. A process of its own does
 * it, which has the writer wait for some milliseconds now and then. Throws when the signal ends it.
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
        // That it goes on, or its end.
        await messages.next();
      });
    if (child.exitCode !== 0)
      throw new Error(`Could not overwrite deleted content: ${(await told).trim() || child.signalCode}`);
  } finally {
    child.kill("SIGKILL");
  }
}
