import { rootRun, topLevelRuns } from "@/components/selection/resolve-selection.ts";
import type { Run, Session } from "@/lib/session/session.ts";

/** The number of a run's top-level run in its conversation, from 1; null if the view left it out. */
export function turnOf(session: Session, run: Run): number | null {
  const index = topLevelRuns(session).findIndex(({ id }) => id === rootRun(session, run.id)?.id);
  return index === -1 ? null : session.runs_before + index + 1;
}
