import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { on } from "node:events";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { StorageFull } from "../errors.ts";

/** The file is not a valid SQLite or LangGraph file. `message` is a sentence without its full stop. */
export class UnreadableFile extends Error {
  readonly code = "unreadable_file";
}

/** A checkpoint of a thread's main graph, as LangGraph's SQLite saver stores it. */
export interface CheckpointRow {
  thread_id: string;
  checkpoint_id: string;
  /** The serialization of the checkpoint: `json`. */
  type: string | null;
  checkpoint: string;
  metadata: string;
  /** Pending writes, oldest first: why the thread is interrupted here. */
  stops: { channel: string; type: string | null; value: string }[];
}

/** A reply with rows; empty at the end. */
export type CheckpointsReply = { rows: CheckpointRow[] } | { refused: string };

const PROCESS = fileURLToPath(new URL("./langgraph-process.ts", import.meta.url));
/** A file of 512 MB, the largest that can be imported, takes a few seconds. */
const DEADLINE_MS = 60_000;
/** The maximum number of concurrent processes; other files are queued. */
const PROCESSES = 2;
/** MB. */
const MEMORY = 256;

interface Options {
  /** The directory of the temporary file; the caller removes what a crash leaves there. */
  folder: string;
  /** The maximum total time to wait for rows of this file. */
  deadline_ms?: number;
}

/**
 * Reads the checkpoints of each thread from a LangGraph SQLite file, oldest first: those on the path to the newest one,
 * without branches that were abandoned. A separate process reads the file and is killed after a timeout. Throws
 * `UnreadableFile`, `StorageFull`.
 */
export async function* readCheckpoints(
  bytes: AsyncIterable<Uint8Array>,
  { folder, deadline_ms = DEADLINE_MS }: Options,
): AsyncGenerator<CheckpointRow> {
  const file = join(folder, `${randomUUID()}.sqlite`);
  try {
    await store(bytes, file);
    const free = await place();
    try {
      yield* rowsOf(file, deadline_ms);
    } finally {
      free();
    }
  } finally {
    await rm(file, { force: true });
  }
}

async function store(bytes: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  try {
    await pipeline(Readable.from(bytes, { objectMode: false }), createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    throw error instanceof Error && "code" in error && error.code === "ENOSPC" ? new StorageFull(error) : error;
  }
}

async function* rowsOf(file: string, deadline: number): AsyncGenerator<CheckpointRow> {
  const stdio = ["ignore", "ignore", "pipe", "ipc"] as const;
  const child = fork(PROCESS, [file], {
    execArgv: [`--max-old-space-size=${MEMORY}`],
    serialization: "advanced",
    stdio: [...stdio],
  });
  try {
    for await (const reply of repliesOf(child, deadline)) {
      if ("refused" in reply) throw new UnreadableFile(reply.refused);
      if (reply.rows.length === 0) return;
      yield* reply.rows;
    }
  } finally {
    child.kill("SIGKILL");
  }
}

/** Requests rows repeatedly. Time that the consumer takes does not count towards the timeout. */
async function* repliesOf(child: ChildProcess, deadline: number): AsyncGenerator<CheckpointsReply> {
  const told = child.stderr ? text(child.stderr) : "";
  const replies = on(child, "message", { close: ["exit"] });
  for (let left = deadline; ; ) {
    const began = performance.now();
    const late = setTimeout(() => child.kill("SIGKILL"), left);
    child.send("more");
    const { done, value } = await replies.next();
    clearTimeout(late);
    left -= performance.now() - began;
    if (!done) yield value[0];
    else if (left <= 0)
      throw new UnreadableFile(`reading this SQLite file took longer than ${deadline / 1_000} s; split it`);
    else throw new Error(`The process that reads a file of SQLite ended: ${(await told).trim() || child.signalCode}`);
  }
}

let running = 0;
const waiting: (() => void)[] = [];

/** Acquires a slot for a process; returns its release function. */
async function place(): Promise<() => void> {
  if (running < PROCESSES) running += 1;
  // Passes the slot to the next in the queue.
  else await new Promise<void>((resolve) => waiting.push(resolve));
  return () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
}
