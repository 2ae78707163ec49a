import type { Connection } from "../connection.ts";
import { type Check, counted } from "./check-context.ts";

/** All columns that contain JSON. */
const COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ["events", "payload"],
  ["messages", "metadata"],
  ["conversations", "summary"],
  ["agent_state", "value"],
  ["confirmations", "action"],
  ["confirmations", "before"],
  ["audit", "before"],
  ["audit", "after"],
  ["api_keys", "scopes"],
  ["spans", "content"],
  ["span_parts", "content"],
  ["telegram_updates", "content"],
];

/** JSON columns contain valid JSON. */
export const checkJson: Check = {
  name: "json",
  remedy:
    "Values are damaged: restore a backup. If only messages, conversations, agent_state or confirmations are affected, run npm run rebuild.",
  run({ connection, tell }, faults) {
    for (const [table, column] of COLUMNS) {
      tell(`${table}.${column}`);
      for (const place of broken(connection, table, column)) faults.add(`${table}.${column} of row ${place}`);
    }
    return counted(COLUMNS.length, "column");
  },
};

function* broken(connection: Connection, table: string, column: string): Iterable<number> {
  const suspects = connection
    .prepare<[], number>(`SELECT rowid FROM ${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column})`)
    .pluck();
  const value = connection.prepare<[number], unknown>(`SELECT ${column} FROM ${table} WHERE rowid = ?`).pluck();
  // SQLite refuses JSON nested deeper than 1,000 levels, which we can read.
  for (const place of suspects.iterate()) if (!isJson(value.get(place))) yield place;
}

function isJson(value: unknown): boolean {
  try {
    JSON.parse(String(value));
    return typeof value === "string";
  } catch {
    return false;
  }
}
