import { FORKED } from "./run-reasons.ts";
import type { Call } from "./session.ts";

/**
 * What a call took, in milliseconds; null while it runs, where no times are told, and of one that a fork closed: that
 * ended when it was forked, whatever became of it in the source.
 */
export function tookOf({ started_at, ended_at, reason }: Pick<Call, "started_at" | "ended_at" | "reason">) {
  if (started_at === null || ended_at === null || reason === FORKED) return null;
  return Math.max(0, Date.parse(ended_at) - Date.parse(started_at));
}
