import type { Call, Session } from "@/lib/session/session.ts";
import type { Entry } from "./sections.ts";

/** What rows need besides their own data. */
export interface Scene {
  session: Session;
  channel: string | null;
  /** The newest answer's id; null for none. */
  newestAnswer: string | null;
  /** Messages from this step on are rendered as Markdown on the server; earlier ones after hydration. */
  setFrom: number;
  /** The step whose rows are highlighted; 0 while following. */
  at: number;
  current: Call | null;
  selected: Call | null;
  onSelect: (call: Call) => void;
}

/** Whether an entry is the current step. In a list of calls, the row highlights itself. */
export function isHighlighted(entry: Entry, { at, current }: Pick<Scene, "at" | "current">): boolean {
  if (entry.kind === "calls") return false;
  if (entry.seq === at) return true;
  if (entry.kind !== "ask") return false;
  const { call, confirmation } = entry;
  // A parked call has no row until it is decided.
  return confirmation.decided_seq === at || (confirmation.status === "requested" && call !== null && call === current);
}
