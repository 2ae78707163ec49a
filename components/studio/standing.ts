import type { Session, Summary } from "@/lib/session/session.ts";

/** A fork in which nothing has run since it was made. */
export function isUntouchedFork(conversationId: string | null, { forked_from, newest_run }: Summary): boolean {
  // What it brought along, and what holds its edits, is named after it; a run of its own has an id of its own.
  return forked_from !== null && (newest_run === null || newest_run.startsWith(`${conversationId}:`));
}

/** The user has said something to which nothing has come: no word, and no run. */
export function isUnanswered({ messages, runs }: Session): boolean {
  const newest = messages.findLast(({ role }) => role !== "system");
  if (newest?.role !== "user" || runs.has(newest.run_id ?? "")) return false;
  return [...runs.values()].every(({ started_seq }) => started_seq < newest.seq);
}
