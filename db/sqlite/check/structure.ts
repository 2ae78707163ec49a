import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Connection } from "../connection.ts";

/** Checking a file up to this size takes half a second at most, so a start can wait for it. */
const SMALL = 64 * 1024 * 1024;

/** More faults add no information. */
const MOST_FAULTS = 20;

const PROCESS = fileURLToPath(new URL("./structure-process.ts", import.meta.url));

const answer = z.array(z.string());

/** Structural faults of a file: pages, trees and records. Reads all of it, which takes some seconds per gigabyte. */
export function structureFaults(connection: Connection): string[] {
  return faultsOf(connection.pragma(`quick_check(${MOST_FAULTS})`, { simple: false }));
}

/** The same, and whether indexes match their tables: takes twice as long. */
export function structureAndIndexFaults(connection: Connection): string[] {
  return faultsOf(connection.pragma(`integrity_check(${MOST_FAULTS})`, { simple: false }));
}

function faultsOf(rows: unknown): string[] {
  const texts = z.array(z.record(z.string(), z.string())).parse(rows).flatMap(Object.values);
  return texts.filter((text) => text !== "ok").flatMap((text) => text.split("\n"));
}

/** Whether a start can wait for the check. */
export function isSmall(file: string): boolean {
  return statSync(file).size <= SMALL;
}

/**
 * Checks a large file in a process of its own, which the signal ends: in a thread SQLite could not be interrupted, and
 * a server has to stop at once.
 */
export function structureFaultsElsewhere(file: string, signal: AbortSignal): Promise<string[]> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [PROCESS, file], { signal }, (error, stdout) => {
      if (error) reject(error);
      else resolve(answer.parse(JSON.parse(stdout)));
    });
  });
}
