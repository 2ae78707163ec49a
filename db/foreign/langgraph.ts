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

/** A file of SQLite that is not what it has to be. `message` is a sentence without its full stop. */
export class UnreadableFile extends Error {
  readonly code = "unreadable_file";
}

/** A checkpoint of a thread's main graph, as LangGraph's saver for SQLite stores it. */
export interface CheckpointRow {
  thread_id: string;
  checkpoint_id: string;
  /** How the checkpoint is written: `json`. */
  type: string | null;
  checkpoint: string;
  metadata: string;
  /** What was written beside it and not taken up: why the thread stands still there, oldest first. */
  stops: { channel: string; type: string | null; value: string }[];
}

/** What the process says when it is asked for more rows: none at the end. */
export type CheckpointsReply = { rows: CheckpointRow[] } | { refused: string };

const PROCESS = fileURLToPath(new URL("./langgraph-process.ts", import.meta.url));
/** A file of 512 MB, the most that is imported, takes a few seconds of it. */
const DEADLINE_MS = 60_000;
/** Files beyond so many wait for one of them. */
const PROCESSES = 2;
/** MB. */
const MEMORY = 256;

interface Options {
  /** Where the bytes are kept meanwhile; whoever gives it removes what a crash leaves there. */
  folder: string;
  /** How long the file may have others wait for its rows, all in all. */
  deadline_ms?: number;
}

/**
 * Reads the checkpoints of each thread from a file of LangGraph's saver, oldest first: those that lead to the newest one,
 * as a thread that was gone back in has others as well. A process of its own reads the file, which is ended when it takes too
 * long. Throws `UnreadableFile`, `StorageFull`.
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

/** Asks for rows again and again. Whoever takes long to use them takes none of the file's time. */
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

/** Gives a process's place, and what gives it back. */
async function place(): Promise<() => void> {
  if (running < PROCESSES) running += 1;
  // Whoever gives a place back hands it on.
  else await new Promise<void>((resolve) => waiting.push(resolve));
  return () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
}
