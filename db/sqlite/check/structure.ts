import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Connection } from "../connection.ts";

/** Of a file that is no larger, what SQLite looks through takes half a second at most: a start can wait for it. */
const SMALL = 64 * 1024 * 1024;

/** More say nothing new. */
const MOST_FAULTS = 20;

const PROCESS = fileURLToPath(new URL("./structure-process.ts", import.meta.url));

const answer = z.array(z.string());

/** What is wrong with the structure of a file: its pages, trees and records. Reads all of it: some seconds for a gigabyte. */
export function structureFaults(connection: Connection): string[] {
  return faultsOf(connection.pragma(`quick_check(${MOST_FAULTS})`, { simple: false }));
}

/** The same, and whether each index has what its table has: takes twice as long. */
export function structureAndIndexFaults(connection: Connection): string[] {
  return faultsOf(connection.pragma(`integrity_check(${MOST_FAULTS})`, { simple: false }));
}

function faultsOf(rows: unknown): string[] {
  const texts = z.array(z.record(z.string(), z.string())).parse(rows).flatMap(Object.values);
  return texts.filter((text) => text !== "ok").flatMap((text) => text.split("\n"));
}

/** Whether a start can wait until the file is looked through. */
export function isSmall(file: string): boolean {
  return statSync(file).size <= SMALL;
}

/**
 * Looks through the structure of a large file in a process of its own, which ends with the signal: in a thread of this
 * one SQLite could not be interrupted, and a server has to stop at once.
 */
export function structureFaultsElsewhere(file: string, signal: AbortSignal): Promise<string[]> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [PROCESS, file], { signal }, (error, stdout) => {
      if (error) reject(error);
      else resolve(answer.parse(JSON.parse(stdout)));
    });
  });
}
