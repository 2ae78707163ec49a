import type { Call, Session } from "@/lib/session/session.ts";
import type { Entry } from "./sections.ts";

/** What the rows of the thread need to know beside themselves. */
export interface Scene {
  session: Session;
  channel: string | null;
  /** The newest answer's id; null before any. */
  newestAnswer: string | null;
  /** Messages from this step on are set as Markdown while the page is made; those before it later. */
  setFrom: number;
  /** The step whose rows are lit; 0 while the newest is followed. */
  at: number;
  current: Call | null;
  selected: Call | null;
  onSelect: (call: Call) => void;
}

/** Tells whether an entry is what the current step did. Of calls one row is lit, which says so itself. */
export function isLit(entry: Entry, { at, current }: Pick<Scene, "at" | "current">): boolean {
  if (entry.kind === "calls") return false;
  if (entry.seq === at) return true;
  if (entry.kind !== "ask") return false;
  const { call, confirmation } = entry;
  // A call that waits has no row of its own; once decided, it has.
  return confirmation.decided_seq === at || (confirmation.status === "requested" && call !== null && call === current);
}
