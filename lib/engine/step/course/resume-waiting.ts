import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import { watchTimeBudget } from "./request-termination.ts";

/** Continues a run that waited (P22). */
export function goOn(run: Run, caused_by: string | null): void {
  if (run.state.status !== "waiting") return;
  run.log.emit("run.resumed", { reason: REASONS.decided() }, { caused_by });
  watchTimeBudget(run);
}
