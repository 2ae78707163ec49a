import type { Connection } from "../connection.ts";

/** What a check is given. */
export interface Look {
  /** Reads one moment of the database. */
  connection: Connection;
  /** Every snapshot is folded again, not only those of some conversations. */
  allSnapshots: boolean;
  /** Tells whoever waits what is looked at. */
  tell(what: string): void;
}

/** One of the checks. */
export interface Check {
  name: "file" | "log" | "json" | "links" | "audit" | "projections" | "search" | "snapshots";
  /** What to do where it finds something. */
  remedy: string;
  /** Looks, notes what is wrong, and tells in a few words what it has looked at. */
  run(look: Look, faults: Faults): string;
}

/** So many are told; the rest is a number. */
const MOST_TOLD = 10;

/** What a check has found to be wrong. */
export class Faults {
  readonly told: string[] = [];
  count = 0;

  add(text: string): void {
    this.count += 1;
    if (this.told.length < MOST_TOLD) this.told.push(text);
  }
}

/** A number with its noun. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
