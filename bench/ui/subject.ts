import type { Browser } from "@playwright/test";
import type { Seeding } from "../../scripts/seed/seeding.ts";
import type { ServerProcess } from "../../scripts/server-process.ts";

/** A line of the table. */
export interface Figure {
  what: string;
  measured: string;
  target: string;
}

/** The server under test. */
export interface Subject {
  server: ServerProcess;
  browser: Browser;
  /** The data directory of `--data`, which is kept; null for none. */
  keptData: string | null;
  /** Seeds the server; returns the address that shows the data. */
  seed(seeding: Seeding): Promise<string>;
}

/** `12 / 48 ms`: the median and the maximum. */
export function spread(values: readonly number[]): string {
  if (values.length === 0) return "nothing measured";
  const ascending = [...values].sort((a, b) => a - b);
  const at = (share: number) => ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0;
  return `${at(0.5).toFixed(1)} / ${at(0.99).toFixed(1)} ms`;
}
