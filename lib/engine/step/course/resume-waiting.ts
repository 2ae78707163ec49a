import { isCallers } from "../../tools/caller-tool.ts";
import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import { watchTimeBudget } from "./request-termination.ts";

/** Continues a run that waited (P22). */
export function goOn(run: Run, caused_by: string | null): void {
  if (run.state.status !== "waiting") return;
  const isAnswered = [...run.state.calls()].some((call) => isCallers(run.tools.tool(call.tool)?.handler));
  const reason = isAnswered ? REASONS.answered() : REASONS.decided();
  run.log.emit("run.resumed", { reason }, { caused_by });
  watchTimeBudget(run);
}
