import { isKnown, type SessionEvent } from "@/lib/session/event.ts";

/** A piece of a streamed answer. */
export interface DraftPiece {
  conversation_id: string;
  run_id: string;
  agent_id: string | null;
  /** Its offset; 0 starts a new draft. */
  offset: number;
  text: string;
}

/** The draft of a run's answer. */
export interface Draft {
  readonly conversation_id: string;
  readonly run_id: string;
  readonly agent_id: string | null;
  readonly text: string;
  /** The step at which the log has the result; null while streaming. */
  readonly until: number | null;
}

/** Events of a run after which the previous draft is complete or lost. */
const ENDS: ReadonlySet<string> = new Set([
  ...["model.requested", "model.failed", "run.iteration"],
  ...["run.finished", "run.failed", "run.cancelled"],
]);

function endsDraft(event: SessionEvent): boolean {
  if (ENDS.has(event.type)) return true;
  return isKnown(event) && event.type === "message.created" && event.payload.role === "assistant";
}

/** The drafts by run, assembled from their pieces. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>();

  get(runId: string): Draft | null {
    return this.#drafts.get(runId) ?? null;
  }

  list(): Iterable<Draft> {
    return this.#drafts.values();
  }

  /** Appends a piece; false when it does not match, because earlier pieces were missed. */
  take({ offset, text, ...draft }: DraftPiece): boolean {
    const known = this.#drafts.get(draft.run_id);
    if (offset === 0) this.#forgetEnded();
    else if (known?.until !== null || known.text.length !== offset) return false;
    this.#drafts.set(draft.run_id, { ...draft, text: offset === 0 ? text : `${known?.text}${text}`, until: null });
    return true;
  }

  /** Ends the drafts that the log completes; true if any ended. They are kept for readers who view an earlier step. */
  hear(events: readonly SessionEvent[]): boolean {
    let ended = false;
    for (const event of events) {
      const draft = this.#drafts.get(event.run_id ?? "");
      if (draft?.until !== null || !endsDraft(event)) continue;
      this.#drafts.set(draft.run_id, { ...draft, until: event.seq });
      ended = true;
    }
    return ended;
  }

  /**
   * Drops all drafts after a lost connection, because the next one sends them from their start. True if there were any.
   */
  clear(): boolean {
    const { size } = this.#drafts;
    this.#drafts.clear();
    return size > 0;
  }

  #forgetEnded(): void {
    for (const { run_id, until } of this.#drafts.values()) if (until !== null) this.#drafts.delete(run_id);
  }
}
