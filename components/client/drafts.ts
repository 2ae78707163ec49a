import { isKnown, type SessionEvent } from "@/lib/session/event.ts";

/** A piece of an answer that is coming, as the stream sends it. */
export interface DraftPiece {
  conversation_id: string;
  run_id: string;
  agent_id: string | null;
  /** Where it goes: 0 begins a draft anew. */
  offset: number;
  text: string;
}

/** What a run has said so far of the answer that is coming. */
export interface Draft {
  readonly conversation_id: string;
  readonly run_id: string;
  readonly agent_id: string | null;
  readonly text: string;
  /** The step from which on the log tells what came of it; null while it comes. */
  readonly until: number | null;
}

/** A run that tells one of these says no more of the answer before: that is in the log, or lost. */
const ENDS: ReadonlySet<string> = new Set([
  ...["model.requested", "model.failed", "run.iteration"],
  ...["run.finished", "run.failed", "run.cancelled"],
]);

function endsDraft(event: SessionEvent): boolean {
  if (ENDS.has(event.type)) return true;
  return isKnown(event) && event.type === "message.created" && event.payload.role === "assistant";
}

/** The answers that are coming, put together from their pieces, by run. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>();

  get(runId: string): Draft | null {
    return this.#drafts.get(runId) ?? null;
  }

  list(): Iterable<Draft> {
    return this.#drafts.values();
  }

  /** Takes a piece; false when it does not fit, since what came before of it was not heard. */
  take({ offset, text, ...draft }: DraftPiece): boolean {
    const known = this.#drafts.get(draft.run_id);
    if (offset === 0) this.#forgetEnded();
    else if (known?.until !== null || known.text.length !== offset) return false;
    this.#drafts.set(draft.run_id, { ...draft, text: offset === 0 ? text : `${known?.text}${text}`, until: null });
    return true;
  }

  /**
   * Hears the log, which tells what has come of them: true when some have ended. Those are kept for a while, for who is
   * not that far in the log yet.
   */
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

  /** The connection broke: on the next one what goes on is sent anew. True when there was something. */
  clear(): boolean {
    const { size } = this.#drafts;
    this.#drafts.clear();
    return size > 0;
  }

  #forgetEnded(): void {
    for (const { run_id, until } of this.#drafts.values()) if (until !== null) this.#drafts.delete(run_id);
  }
}
