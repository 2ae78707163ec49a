import type { Connection } from "../connection.ts";

/** The context of a check. */
export interface CheckContext {
  /** A read transaction on the database. */
  connection: Connection;
  /** Checks every snapshot, not a sample. */
  allSnapshots: boolean;
  /** Reports progress. */
  tell(what: string): void;
}

/** One of the checks. */
export interface Check {
  name: "file" | "log" | "json" | "links" | "audit" | "projections" | "search" | "snapshots" | "replay";
  /** What to do if it finds faults. */
  remedy: string;
  /** Runs the check, adds faults, and returns in a few words what was examined. */
  run(context: CheckContext, faults: Faults): string;
}

/** How many faults are listed; the rest is a number. */
const MAX_LISTED = 10;

/** The faults that a check has found. */
export class Faults {
  readonly told: string[] = [];
  count = 0;

  add(text: string): void {
    this.count += 1;
    if (this.told.length < MAX_LISTED) this.told.push(text);
  }
}

/** A number with its noun. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
