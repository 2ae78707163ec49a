import { REASONS } from "./reasons.ts";
import type { Runner } from "./runner.ts";

/** Tells whether a run has to wait for its turn; then `act` is done when that has come. */
export function waitsForTurn(run: Runner, act: () => void): boolean {
  const { place } = run.root;
  if (place.hold() && place.begun) return false;
  run.held = act;
  return true;
}

/**
 * A top-level run's place among the turns of its user (M11). Nothing of the run or of its delegates' runs starts without
 * it; a run that waits for a person gives it up, and asks for it again when it can go on.
 */
export class TurnPlace {
  readonly #run: Runner;
  #key: string | null = null;
  #held = true;
  /** It has had the place, and knows its user's memory as it was then. */
  #begun = true;

  constructor(run: Runner) {
    this.#run = run;
  }

  /** Asks for a place among these turns; null: it has none to wait for. Tells whether it is held at once. */
  enter(key: string | null): boolean {
    this.#key = key;
    this.#begun = key === null;
    this.#held = key === null;
    return this.hold();
  }

  /** The same for a run that the log has. One that waits for a person asks only when it can go on. */
  enterAgain(key: string | null): void {
    if (key === null) return;
    const { status, ended } = this.#run.state;
    if (!ended && status !== "waiting") {
      if (this.enter(key)) this.#take();
      return;
    }
    this.#key = key;
    this.#held = false;
  }

  /** Whether it has a line to stand in. */
  get isInLine(): boolean {
    return this.#key !== null;
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** Tells whether it is held; else it is asked for, and the run goes on when it comes. */
  hold(): boolean {
    if (this.#held || this.#key === null) return true;
    this.#held = this.#run.engine.turns.enter(this.#key, this.#run, () => this.#take());
    return this.#held;
  }

  /** What it begins with is on disk, its user's memory too: from here on its calls may have their turns. */
  begin(): void {
    // Of one that was queued, that is what it learns when its turn comes.
    if (this.#begun || !this.#held || this.#run.state.status === "queued") return;
    this.#begun = true;
    this.#wake();
  }

  /** While the run waits for a person, and when it has ended, its user's other turns go on. */
  rest(): void {
    // A delegate's run may go on, or have ended, of which the run that waits for it does not know yet.
    const waits = [...this.#run.tree()].every(({ state, held }) => state.status === "waiting" && held === null);
    if (this.#run.state.ended || waits) this.giveUp();
  }

  giveUp(): void {
    if (this.#key === null) return;
    this.#held = false;
    this.#run.engine.turns.leave(this.#key, this.#run);
  }

  #take(): void {
    this.#held = true;
    this.#run.post(() => {
      // Told, also where the next process finds it: by this event the run learns its user's memory.
      const { state, termination, log } = this.#run;
      if ((!this.#begun || state.status === "queued") && !state.ended && termination === null)
        log.emit("run.resumed", { reason: REASONS.turnCame() });
    });
    this.#wake();
  }

  #wake(): void {
    for (const run of this.#run.tree()) run.post(() => undefined);
  }
}
