import type { Planner } from "../planning/port.ts";
import type { EnginePorts } from "../ports.ts";
import type { Toolset } from "../tools/toolset.ts";
import type { RunState } from "./run-state.ts";
import { Runner } from "./runner.ts";
import { TurnQueue } from "./turn-queue.ts";

/** What all runs of one engine share. */
export class EngineContext {
  readonly ports: EnginePorts;
  /** Null where there is no model. */
  readonly planner: Planner | null;
  /** Who answers users in turns; null where nobody does. */
  readonly talker: Planner | null;
  /** Runs that go on in this process, delegates' runs among them. */
  readonly runners = new Map<string, Runner>();
  /** Whose turn it is (M11). */
  readonly turns: TurnQueue<Runner>;
  /** Whose memory the log of a conversation told last, and which version: several users may talk in one. */
  readonly recordedMemory = new Map<string, { user_id: string; version: number }>();
  /** Approvals of runs that are gone which a call here is about to use: two calls never take the same (P22a). */
  readonly grants = new Set<string>();

  constructor(ports: EnginePorts, planner: Planner | null, talker: Planner | null) {
    this.ports = ports;
    this.turns = new TurnQueue(ports.runs_at_once, () => this.#atWorkBeside());
    this.planner = planner;
    this.talker = talker;
  }

  /** Takes a run in, that it may go on here. */
  open(state: RunState, tools: Toolset, parent: Runner["parent"]): Runner {
    const runner = new Runner(this, state, tools, parent);
    this.runners.set(state.id, runner);
    return runner;
  }

  /** Whether as many top-level runs are at work as there may be. What waits for a person does not count. */
  isFull(): boolean {
    return this.turns.size + this.#atWorkBeside() >= this.ports.runs_at_once;
  }

  /** Those at work that stand in nobody's line. */
  #atWorkBeside(): number {
    const all = [...this.runners.values()];
    return all.filter(({ parent, state, place }) => {
      const isOver = state.ended || state.status === "waiting";
      return parent === null && !place.isInLine && !isOver;
    }).length;
  }

  remove(runner: Runner): void {
    const { id, conversation_id } = runner.state;
    if (this.runners.get(id) !== runner) return;
    this.runners.delete(id);
    if (!this.recordedMemory.has(conversation_id)) return;
    const others = [...this.runners.values()];
    if (!others.some(({ state }) => state.conversation_id === conversation_id))
      this.recordedMemory.delete(conversation_id);
  }
}
