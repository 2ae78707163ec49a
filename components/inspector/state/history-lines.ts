import type { StateHistoryEntry } from "@/lib/session/find/state-history.ts";
import { isSameJson, type Json } from "@/lib/session/json/json.ts";

/** A write or a read of a path, with what a write changed. */
export interface HistoryLine extends StateHistoryEntry {
  /** The previous value at the same path; undefined for a first write, and for reads. */
  before: Json | undefined;
  /** Compared with it; null for reads. */
  kindOfWrite: "add" | "change" | "same" | null;
}

/**
 * Adds to each write what it changed: state is written once per run, so the previous write is often an earlier run's.
 */
export function historyLines(entries: readonly StateHistoryEntry[]): HistoryLine[] {
  const newest = new Map<string, Json>();
  return entries.map((entry) => {
    const { kind, path, instance, value } = entry;
    if (kind === "read" || value === undefined) return { ...entry, before: undefined, kindOfWrite: null };
    const key = `${instance}\u0000${path}`;
    const before = newest.get(key);
    newest.set(key, value);
    return { ...entry, before, kindOfWrite: kindOfWrite(before, value) };
  });
}

function kindOfWrite(before: Json | undefined, value: Json): "add" | "change" | "same" {
  if (before === undefined) return "add";
  return isSameJson(before, value) ? "same" : "change";
}
