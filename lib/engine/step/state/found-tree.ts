import type { SessionEvent } from "../../../session/event.ts";
import { UnreadableMemory } from "../../memory.ts";
import { BudgetUse } from "./budget.ts";
import { isRunEvent } from "./run-event.ts";
import { RunMemory } from "./run-memory.ts";
import { RunState } from "./run-state.ts";

/** A top-level run and its delegates' runs, read from the log. */
export interface FoundTree {
  runs: ReadonlyMap<string, RunState>;
  /** Delegates' runs, by the `call.started` event that started each. */
  byStart: ReadonlyMap<string, RunState>;
  /** The position of the last event read; 0 for none. */
  position: number;
}

/** Reads a top-level run and its delegates' runs from their events, in log order. */
export class TreeReader {
  readonly #runs = new Map<string, RunState>();
  readonly #use = new BudgetUse();
  readonly #memory = new RunMemory();
  #position = 0;

  /** Applies an event; returns its run, or null if it belongs to none. */
  take(event: SessionEvent): RunState | null {
    const { run_id: id, conversation_id, parent_run_id, agent_id } = event;
    if (id === null || conversation_id === null || !isRunEvent(event)) return null;
    const identity = { id, conversation_id, parent_run_id, agent_id };
    const state = this.#runs.get(id) ?? new RunState(identity, this.#use, this.#memory);
    this.#runs.set(id, state);
    state.apply(event);
    this.#position = event.position;
    return state;
  }

  /** Call after the last event, at `now` (epoch ms). */
  end(now: number): FoundTree {
    const runs = this.#runs;
    // What was told in one transaction with the memory is in it; but for an end that the memory itself brought about.
    for (const state of runs.values()) if (state.error?.code !== UnreadableMemory.code) state.notes_to_keep = [];
    // While no process was running, no time was used.
    this.#use.skipTo(now);
    const begun = [...runs.values()].flatMap((state): [string, RunState][] =>
      state.started_by === null ? [] : [[state.started_by, state]],
    );
    return { runs, byStart: new Map(begun), position: this.#position };
  }
}
