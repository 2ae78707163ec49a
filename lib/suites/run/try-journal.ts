import type { NewEvent } from "../../../db/repositories.ts";
import type { DocumentChange, Journal } from "../../engine/journal.ts";
import type { SessionEvent } from "../../session/event.ts";
import type { Json } from "../../session/json/json.ts";

/**
 * The log of one try, in memory. The engine that carries it out is the only one that could go on with it, so nothing is ever
 * recovered from it; its events are handed on in order, to be kept as those of a session that runs elsewhere.
 */
export class TryJournal implements Journal {
  readonly events: SessionEvent[] = [];
  readonly #keep: (events: NewEvent[]) => Promise<void>;
  /** The user's memory, which starts as the case has it. */
  #memory: { value: Json; version: number } | null;

  constructor(memory: Json, keep: (events: NewEvent[]) => Promise<void>) {
    this.#memory = memory === null ? null : { value: memory, version: 1 };
    this.#keep = keep;
  }

  async append(events: NewEvent[]): Promise<void> {
    await this.#keep(events);
    for (const event of events) {
      const seq = this.events.length + 1;
      this.events.push({ ...event, seq, position: seq, recorded_at: event.occurred_at ?? "" });
    }
  }

  async appendWithMemory(events: NewEvent[], change: DocumentChange): Promise<NewEvent | null> {
    const changed = change.apply(this.#memory);
    await this.append(changed ? [...events, changed.event] : events);
    const document = changed?.document;
    if (document !== undefined) this.#memory = { value: document, version: (this.#memory?.version ?? 0) + 1 };
    return changed?.event ?? null;
  }

  read = async () => [];
  find = async () => null;
  open = async () => [];
  takenOver = async () => null;
  unusedApproval = async () => null;
}
