import type { Events, NewEvent } from "../../db/repositories.ts";
import { Renaming } from "../intake/renaming.ts";
import { dialogAgent } from "../session/dialog-agent.ts";
import { isKnown, type SessionEvent } from "../session/event.ts";
import type { Json } from "../session/json/json.ts";

/** Small enough not to block others: reading and writing 500 events of a usual size took 60 ms. */
const PAGE = 200;

/** The state of a dialog that a fork keeps; its chain of responses starts anew (D2, D4, D7). */
const DIALOG_KEYS = new Set(["stage", "configuration"]);

/** The events of a conversation up to a step, with the fork's ids. */
export class History {
  readonly renaming: Renaming;
  /** The dialog's state at the step. */
  readonly dialog = new Map<string, Json>();
  readonly #source: string;
  readonly #events: Pick<Events, "list" | "seqs">;

  constructor(source: string, forkId: string, events: Pick<Events, "list" | "seqs">) {
    this.#source = source;
    this.#events = events;
    this.renaming = new Renaming(forkId);
  }

  /** The events up to the step `at`, in pages. */
  async *pages(at: number): AsyncGenerator<NewEvent[]> {
    for (let after = 0; after < at; ) {
      const found = await this.#events.list(this.#source, { after, limit: Math.min(PAGE, at - after) });
      if (found.length === 0) throw new Error(`The conversation ${this.#source} has no events after ${after}`);
      yield await this.#renamed(found, at);
      after += found.length;
    }
  }

  async #renamed(page: readonly SessionEvent[], at: number): Promise<NewEvent[]> {
    const places = await this.#placesOf(page, at);
    for (const event of page) {
      this.renaming.meet(event);
      this.#note(event);
    }
    return page.map(({ seq: _seq, position: _position, ...event }) =>
      this.renaming.rename(event, (id) => places.get(id)),
    );
  }

  /** The steps of the page's events and causes; causes after the step are not in the fork and keep their ids. */
  async #placesOf(page: readonly SessionEvent[], at: number): Promise<ReadonlyMap<string, number>> {
    const places = new Map(page.map(({ id, seq }) => [id, seq]));
    const causes = page.flatMap(({ caused_by }) => (caused_by === null || places.has(caused_by) ? [] : [caused_by]));
    if (causes.length === 0) return places;
    for (const [id, seq] of await this.#events.seqs(this.#source, [...new Set(causes)]))
      if (seq <= at) places.set(id, seq);
    return places;
  }

  #note(event: SessionEvent): void {
    if (!isKnown(event)) return;
    if (event.type !== "agent_state.written" && event.type !== "agent_state.deleted") return;
    const { agent_id, key } = event.payload;
    if (agent_id !== dialogAgent(this.#source) || !DIALOG_KEYS.has(key)) return;
    if (event.type === "agent_state.written") this.dialog.set(key, event.payload.value);
    else this.dialog.delete(key);
  }
}
