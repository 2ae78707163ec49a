import type { NewEvent, RunHold } from "../../../db/repositories.ts";
import type { SessionEvent } from "../../session/event.ts";
import type { Ownership, Turn, TurnEnd } from "../ownership.ts";
import type { MemoryJournal } from "./memory-journal.ts";

interface Owned extends RunHold {
  decided: number;
  ready: boolean;
}

interface Given {
  turn: Turn;
  isSure: boolean;
  lost: AbortController;
}

/** A queue of turns in memory, for engines that share a journal. Each turn is given to the first engine that takes turns. */
export class MemoryReplicas {
  readonly #journal: MemoryJournal;
  readonly #runs = new Map<string, Owned>();
  readonly #waiting: string[] = [];
  readonly #given = new Map<string, Given>();
  #workers: ((turn: Turn) => Promise<TurnEnd>)[] = [];
  readonly #listeners = new Set<(event: SessionEvent) => void>();

  constructor(journal: MemoryJournal) {
    this.#journal = journal;
    journal.told = (event) => {
      for (const heard of this.#listeners) queueMicrotask(() => heard(event));
    };
    journal.checkHold = (hold) => this.#check(hold);
  }

  /** What an engine gets. The engine that was made first gets the turns. */
  ownership(): Ownership {
    let work: ((turn: Turn) => Promise<TurnEnd>) | null = null;
    return {
      take: async (runId, { key, ready = false } = {}) => this.#take(runId, key, ready),
      rest: async (hold, known) => this.#rest(hold, known),
      decide: async (event, runId) => this.#decide(event, runId),
      next: async (key) => [...this.#runs.values()].find((run) => run.ready && run.key === key)?.run_id ?? null,
      awaited: async () => [],
      awaits: async () => false,
      unknown: async (runIds) => runIds.filter((id) => !this.#runs.has(id)),
      wake: async (key) => {
        this.#waiting.push(key);
        this.#give();
      },
      work: (carry) => {
        work = carry;
        this.#workers.push(carry);
        this.#give();
      },
      follow: (heard) => {
        this.#listeners.add(heard);
        return () => this.#listeners.delete(heard);
      },
      stop: async () => {
        this.#workers = this.#workers.filter((worker) => worker !== work);
      },
    };
  }

  /** As if the engine that has the turns had not been heard of: the next one gets them. `isTold`: it notices. */
  lose({ isTold }: { isTold: boolean }): void {
    const [first] = this.#workers.splice(0, 1);
    const given = [...this.#given];
    this.#given.clear();
    for (const [key, one] of given) {
      one.isSure = false;
      if (isTold) one.lost.abort();
      this.#waiting.push(key);
    }
    this.#give();
    if (first) this.#workers.push(first);
  }

  /** As if the engine that has the turns was stopped, and does not know for how long. */
  doubt(): void {
    for (const given of this.#given.values()) given.isSure = false;
  }

  #give(): void {
    const [work] = this.#workers;
    if (!work) return;
    for (const key of this.#waiting.splice(0)) {
      if (this.#given.has(key)) {
        this.#waiting.push(key);
        continue;
      }
      const lost = new AbortController();
      const given: Given = { isSure: true, lost, turn: { key, isSure: () => given.isSure, lost: lost.signal } };
      this.#given.set(key, given);
      work(given.turn)
        .catch(() => "handed_on" as const)
        .then((end) => {
          if (this.#given.get(key) !== given) return;
          this.#given.delete(key);
          if (end === "handed_on") this.#waiting.push(key);
          this.#give();
        });
    }
  }

  #check({ run_id, fence, key }: RunHold): void {
    const run = this.#runs.get(run_id);
    if (fence === 0) this.#runs.set(run_id, { run_id, fence, key, decided: 0, ready: true });
    else if (run?.fence !== fence)
      throw Object.assign(new Error(`The run ${run_id} is held by another`), { code: "not_held" });
  }

  #take(runId: string, key: string | undefined, ready: boolean): RunHold | null {
    const known = this.#runs.get(runId);
    if ((!known && key === undefined) || (ready && known?.ready !== true)) return null;
    const run = known ?? { run_id: runId, fence: 0, key: key ?? "", decided: 0, ready: true };
    const taken = { ...run, fence: run.fence + 1, ready: true };
    this.#runs.set(runId, taken);
    return { run_id: runId, fence: taken.fence, key: taken.key };
  }

  #rest(hold: RunHold, known: number): boolean {
    this.#check(hold);
    const run = this.#runs.get(hold.run_id);
    if (!run || run.decided > known) return false;
    run.ready = false;
    return true;
  }

  async #decide(event: NewEvent, runId: string): Promise<{ key: string } | null> {
    const run = this.#runs.get(runId);
    const id = JSON.stringify(event.payload);
    const { confirmation_id } = JSON.parse(id);
    const isDecided = this.#journal.events.some(
      ({ type, payload }) =>
        type !== "confirmation.requested" &&
        type.startsWith("confirmation.") &&
        JSON.stringify(payload).includes(confirmation_id),
    );
    if (!run || isDecided) return null;
    await this.#journal.append([event], null);
    run.decided = this.#journal.events.length;
    run.ready = true;
    return { key: run.key };
  }
}
