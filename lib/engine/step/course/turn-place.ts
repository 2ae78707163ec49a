import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";

/**
 * A top-level run's place among the turns of its user (M11). Nothing of the run or of its delegates' runs starts without
 * it; a run that waits for a person gives it up, and asks for it again when it can go on.
 */
export interface Place {
  /** Whose turns run one after another; null: it waits for none. */
  key: string | null;
  held: boolean;
  /** It has had its turn, and knows its user's memory from then. */
  begun: boolean;
}

/** What to do when it is a run's turn: start, ask the director or the model, or only what else is due. */
export interface Held {
  act: "begin" | "direct" | "iterate" | "ask" | "nothing";
  caused_by: string | null;
}

/** Whether a run has to wait for its turn; `held` is then done later. */
export function waitsForTurn(run: Run, held: Held): boolean {
  const { root } = run;
  if (holdPlace(root) && root.place.begun) return false;
  run.held = held;
  return true;
}

/** Whether it is the run's turn; if not, it is queued and continues later. */
export function holdPlace(root: Run): boolean {
  if (root.place.held || root.place.key === null) return true;
  root.atOnce({ kind: "line_up", run: root });
  return false;
}

/** Records that the run is queued among these turns; null: it waits for none. */
export function enterLine(run: Run, key: string | null, held: boolean): void {
  run.place = { key, held: held || key === null, begun: key === null };
}

/** What it begins with is on disk, its user's memory too: from here on its calls may have their turns. */
export function beginTurn(run: Run): void {
  const { place } = run;
  // Of one that was queued, that is what it learns when its turn comes.
  if (place.begun || !place.held || run.state.status === "queued") return;
  place.begun = true;
  wakeTree(run);
}

/** It is the run's turn. */
export function takeTurn(run: Run, held: boolean): void {
  run.place.held = held;
  // Recorded for the next process too: this event carries the user's memory.
  const { state, termination, log } = run;
  if ((!run.place.begun || state.status === "queued") && !state.ended && termination === null)
    log.emit("run.resumed", { reason: REASONS.turnCame() });
  wakeTree(run);
}

/** While the run waits for an operator, and after it has ended, its user's other turns continue. */
export function restsNow(root: Run): boolean {
  if (root.place.key === null) return false;
  // A delegate's run may go on, or have ended, of which the run that waits for it does not know yet.
  return root.state.ended || [...root.runs()].every(({ state, held }) => state.status === "waiting" && held === null);
}

function wakeTree(root: Run): void {
  for (const run of root.runs()) run.atOnce({ kind: "wake", run });
}
