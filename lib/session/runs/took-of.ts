import type { Call } from "../session.ts";
import { FORKED } from "./run-reasons.ts";

/**
 * The duration of a call in ms; null while it is running, without times, and for calls that a fork closed: those ended
 * at the fork, whatever happened in the source.
 */
export function tookOf({ started_at, ended_at, reason }: Pick<Call, "started_at" | "ended_at" | "reason">) {
  if (started_at === null || ended_at === null || reason === FORKED) return null;
  return Math.max(0, Date.parse(ended_at) - Date.parse(started_at));
}
