import type { StateHistoryEntry } from "@/lib/session/find/state-history.ts";
import { isSameJson, type Json } from "@/lib/session/json/json.ts";

/** A write or a read of a path, with what a write changed. */
export interface HistoryLine extends StateHistoryEntry {
  /** What the newest write of the same path before had put there; undefined for a first one, and for reads. */
  before: Json | undefined;
  /** Against that; null for reads. */
  kindOfWrite: "add" | "change" | "same" | null;
}

/** Tells of each write what it changed: state is written once in a run, so the one before is often an earlier run's. */
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
