import type { NewEvent } from "../../../../db/repositories.ts";
import type { Payload } from "../../../session/events/catalogue.ts";
import type { EventType } from "../../../session/events/kinds.ts";
import type { JsonObject } from "../../../session/json/json.ts";
import type { Ids } from "./ids.ts";
import { isRunEvent } from "./run-event.ts";
import type { RunState } from "./run-state.ts";

/** The actor of an event, and the event that caused it. */
export interface Origin {
  /** The run's own agent, else `system`, where none is named. */
  actor?: string;
  caused_by?: string | null;
  /** The event's id, if it is known beforehand. */
  id?: string;
  /** It belongs to the conversation, not to the run: a user's message. */
  beside?: true;
}

/** The time of a step, and the ids it generates. */
interface Source {
  readonly now: number;
  readonly ids: Ids;
}

/**
 * Creates a run's events. Each is applied to the state at once, so that later events of the same tick build on it; nothing
 * outside sees it before the tick's events are on disk (P23).
 */
export class RunLog {
  readonly #state: RunState;
  readonly #source: Source;
  #made: NewEvent[] = [];
  #at = Number.NaN;
  #occurred = "";

  constructor(state: RunState, source: Source) {
    this.#state = state;
    this.#source = source;
  }

  /** Creates an event and returns its id. */
  emit<T extends EventType>(
    type: T,
    payload: Payload<T> & JsonObject,
    { actor, caused_by, id, beside }: Origin = {},
  ): string {
    const { id: run_id, conversation_id, parent_run_id, agent_id } = this.#state;
    const event: NewEvent = {
      id: id ?? this.#source.ids.next(),
      conversation_id,
      type,
      actor: actor ?? (agent_id === null ? "system" : `agent:${agent_id}`),
      agent_id: beside ? null : agent_id,
      run_id: beside ? null : run_id,
      parent_run_id,
      caused_by: caused_by ?? null,
      payload,
      occurred_at: this.#time(),
    };
    this.#made.push(event);
    if (!isRunEvent(event)) throw new Error(`${type} is no event of the catalogue`);
    if (!beside) this.#state.apply(event, this.#at);
    return event.id;
  }

  /** The events created since the last call. */
  take(): NewEvent[] {
    const made = this.#made;
    this.#made = [];
    return made;
  }

  #time(): string {
    const { now } = this.#source;
    if (now !== this.#at) {
      this.#at = now;
      this.#occurred = new Date(now).toISOString();
    }
    return this.#occurred;
  }
}
