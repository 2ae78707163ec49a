import type { Step } from "../event-index-columns.ts";
import { callKey } from "../keys.ts";
import { countFailure, type Failures, NO_FAILURES } from "./failures.ts";
import type { TimelineColumns, TimelineRow, TimelineStanding } from "./timeline.ts";

/** What a later step changes of an earlier one: its cause has come, or what failed was tried again. */
export interface RowChange {
  seq: number;
  cause?: number;
  error?: false;
}

/** A step's row, and what the step changes of the rows before it. */
interface Added {
  row: TimelineRow;
  changes: RowChange[];
}

/**
 * Makes the rows of a session's steps, in their order: the one derivation of them, for the server that reads a whole log
 * and for the browser that goes on from what it has loaded. Which call a step belongs to, who speaks, what caused it and
 * whether it is an error depends on the steps before.
 */
export class RowMaker {
  #failures: Failures = NO_FAILURES;
  readonly #seqOf: (eventId: string) => number | null;
  readonly #runs = new Map<string, RunStanding>();
  readonly #calls = new Map<string, NonNullable<TimelineRow["call"]>>();
  readonly #seqs = new Map<string, number>();
  /** Steps whose causes are yet to come, by the causes' ids. */
  readonly #awaited = new Map<string, number[]>();

  /** `seqOf`: the steps of events before those that are added. */
  constructor(seqOf: (eventId: string) => number | null = () => null) {
    this.#seqOf = seqOf;
  }

  /** Goes on where columns end; `rows` are what they were decoded to. */
  static after(
    { tables, standing }: TimelineColumns,
    rows: readonly TimelineRow[],
    seqOf: (eventId: string) => number | null,
  ): RowMaker {
    const maker = new RowMaker(seqOf);
    maker.#failures = standing.failures;
    for (const [index, run] of standing.run.entries())
      maker.#runs.set(tables.run[run] ?? "", {
        iteration: standing.iteration[index] ?? 1,
        agent: tables.agent[standing.agent[index] ?? -1] ?? null,
        speaker: tables.agent[standing.speaker[index] ?? -1] ?? null,
        parent: null,
        planned: false,
      });
    for (const { seq, cause } of standing.awaited) maker.#await(cause, seq);
    for (const { call } of rows) if (call) maker.#calls.set(keyOf(call), call);
    return maker;
  }

  /** Goes on where another one stopped; `seqOf` as above. */
  static from({ failures, runs, calls, awaited }: RowMemory, seqOf?: (eventId: string) => number | null): RowMaker {
    const maker = new RowMaker(seqOf);
    maker.#failures = failures;
    for (const [id, run] of runs) maker.#runs.set(id, { ...run });
    for (const call of calls) maker.#calls.set(keyOf(call), { ...call });
    for (const { seq, cause } of awaited) maker.#await(cause, seq);
    return maker;
  }

  /** What has to be known to go on from here: of runs and calls the newest. `rows` are those that it made. */
  remember(rows: readonly TimelineRow[]): RowMemory {
    for (const { run, call } of rows) {
      const standing = run === null ? undefined : this.#runs.get(run);
      if (run !== null && standing) putLast(this.#runs, run, standing);
      if (call !== null) putLast(this.#calls, keyOf(call), call);
    }
    return {
      failures: this.#failures,
      runs: [...this.#runs].slice(-REMEMBERED),
      calls: [...this.#calls.values()].slice(-REMEMBERED),
      awaited: this.#awaitedSteps(),
    };
  }

  /** How many errors the session has so far. */
  get errors(): number {
    return this.#failures.count;
  }

  add(step: Step): Added {
    const { failures, error, mended } = countFailure(this.#failures, step);
    this.#failures = failures;
    const row: TimelineRow = {
      seq: step.seq,
      time: step.time,
      type: step.type,
      actor: step.actor,
      agent: this.#agentOf(step),
      run: step.run_id,
      call: this.#callOf(step),
      cause: this.#causeOf(step),
      error,
    };
    const effects = this.#awaited.get(step.id) ?? [];
    this.#awaited.delete(step.id);
    this.#seqs.set(step.id, step.seq);
    return {
      row,
      changes: [
        ...mended.map((seq): RowChange => ({ seq, error: false })),
        ...effects.map((seq): RowChange => ({ seq, cause: step.seq })),
      ],
    };
  }

  /** What has to be known to go on from here; `run` and `agent` give the places of names in the tables. */
  standing(run: (id: string) => number, agent: (id: string | null) => number): TimelineStanding {
    const runs = [...this.#runs];
    return {
      run: runs.map(([id]) => run(id)),
      iteration: runs.map(([, { iteration }]) => iteration),
      agent: runs.map(([, own]) => agent(own.agent)),
      speaker: runs.map(([, { speaker }]) => agent(speaker)),
      awaited: this.#awaitedSteps(),
      failures: this.#failures,
    };
  }

  #awaitedSteps(): TimelineStanding["awaited"] {
    return [...this.#awaited]
      .flatMap(([cause, seqs]) => seqs.map((seq) => ({ seq, cause })))
      .sort((a, b) => a.seq - b.seq)
      .slice(-AWAITED);
  }

  #runOf(id: string): RunStanding {
    const known = this.#runs.get(id);
    if (known) return known;
    const run = { iteration: 1, agent: null, speaker: null, parent: null, planned: false };
    this.#runs.set(id, run);
    return run;
  }

  /**
   * Whose step it is: that of the speaker it names (D1), of the agent it belongs to, of the one that speaks in its run by
   * then, or of the agent that its actor is. Null where nobody is told.
   */
  #agentOf({ type, run_id, agent_id, actor, speaker }: Step): string | null {
    const told = actor?.startsWith(AGENT) ? actor.slice(AGENT.length) : null;
    if (run_id === null) return speaker ?? agent_id ?? told;
    const isNew = !this.#runs.has(run_id);
    const run = this.#runOf(run_id);
    if (isNew || (type === "run.started" && agent_id !== null)) run.agent = agent_id;
    run.speaker = speaker ?? run.speaker;
    return speaker ?? agent_id ?? run.speaker ?? run.agent ?? told;
  }

  /** The call that a step is about. Moves the run's iteration on, as the reducer does. */
  #callOf(step: Step): TimelineRow["call"] {
    if (step.type === "run.iteration" || step.type === "run.started" || step.type === "plan.proposed") {
      const run = this.#runOf(step.run_id ?? "");
      if (step.type === "run.iteration") run.iteration = step.iteration ?? run.iteration + 1;
      else run.iteration = step.iteration ?? run.iteration;
      if (step.type === "run.started") run.parent = step.parent_run_id;
      run.planned = step.type === "plan.proposed";
    }
    if (step.call_id === null) return null;
    // A delegate's child run tells of the call of its parent that it carries out (P27).
    const runId = step.type.startsWith("delegate.") ? (step.parent_run_id ?? step.run_id) : step.run_id;
    const call = {
      run: runId,
      iteration: step.iteration ?? this.#runs.get(runId ?? "")?.iteration ?? 1,
      instance: step.instance ?? "",
      id: step.call_id,
      tool: step.tool ?? "",
    };
    const known = this.#calls.get(keyOf(call));
    if (known && (known.tool !== "" || call.tool === "")) return known;
    if (known) known.tool = call.tool;
    else this.#calls.set(keyOf(call), call);
    return known ?? call;
  }

  #causeOf({ seq, caused_by }: Step): number | null {
    if (caused_by === null) return null;
    const cause = this.#seqs.get(caused_by) ?? this.#seqOf(caused_by);
    if (cause === null) this.#await(caused_by, seq);
    return cause;
  }

  #await(cause: string, seq: number): void {
    const others = this.#awaited.get(cause);
    if (others) others.push(seq);
    else this.#awaited.set(cause, [seq]);
  }
}

/** What makes rows of the steps that follow, of a session of any length: see `RowMaker.remember`. */
export interface RowMemory {
  failures: Failures;
  runs: [id: string, run: RunStanding][];
  calls: NonNullable<TimelineRow["call"]>[];
  awaited: TimelineStanding["awaited"];
}

/** A run or call that so many others have come after is over. */
const REMEMBERED = 300;

function putLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** A cause that comes late comes soon; a log that names causes which never come would be half ids. */
const AWAITED = 100;

interface RunStanding {
  iteration: number;
  /** The agent that it began with. */
  agent: string | null;
  /** Who speaks in it since (D1). */
  speaker: string | null;
  parent: string | null;
  /** Its iteration has a plan. */
  planned: boolean;
}

/** What the actor of an agent's own steps begins with. */
const AGENT = "agent:";

function keyOf({ run, iteration, instance, id }: NonNullable<TimelineRow["call"]>): string {
  return callKey(run, iteration, instance, id);
}

/** Makes the row of a step and adds it to `rows` where it lies after a step; what it changes of those there is changed. */
export function addTo(rows: TimelineRow[], maker: RowMaker, step: Step, after: number): TimelineRow {
  const { row, changes } = maker.add(step);
  if (row.seq > after) rows.push(row);
  const first = rows[0]?.seq ?? 0;
  for (const { seq, ...change } of changes) {
    const changed = rows[seq - first];
    if (changed) Object.assign(changed, change);
  }
  return row;
}

/** Rows in columns, with how `maker`, which made them, stands after them. */
export function encodeRows(
  rows: readonly TimelineRow[],
  maker: RowMaker,
  { after, last }: { after: number; last: number },
): TimelineColumns {
  const [type, actor, agent, run] = [new Table(), new Table(), new Table(), new Table()];
  const calls = new Map<NonNullable<TimelineRow["call"]>, number>();
  for (const { call } of rows) if (call && !calls.has(call)) calls.set(call, calls.size);
  return {
    after,
    last,
    seq: rows.map(({ seq }) => seq),
    time: rows.map(({ time }) => time),
    type: rows.map((row) => type.index(row.type)),
    actor: rows.map((row) => actor.index(row.actor)),
    agent: rows.map((row) => agent.index(row.agent)),
    run: rows.map((row) => run.index(row.run)),
    call: rows.map(({ call }) => (call === null ? -1 : (calls.get(call) ?? -1))),
    cause: rows.map(({ cause }) => cause ?? 0),
    error: rows.map(({ error }) => (error ? 1 : 0)),
    standing: maker.standing(
      (id) => run.index(id),
      (id) => agent.index(id),
    ),
    tables: {
      type: type.texts,
      actor: actor.texts,
      agent: agent.texts,
      call: [...calls.keys()].map(({ run: id, ...call }) => ({ run: run.index(id), ...call })),
      run: run.texts,
    },
  };
}

/** Rows, of which the first follows `after`, with what later steps changed of them; the others stay the same objects. */
export function withChanges(
  rows: readonly TimelineRow[],
  changes: readonly RowChange[],
  after = 0,
): readonly TimelineRow[] {
  if (changes.length === 0) return rows;
  const changed = [...rows];
  for (const { seq, ...change } of changes) {
    const row = changed[seq - after - 1];
    if (row) changed[seq - after - 1] = { ...row, ...change };
  }
  return changed;
}

/** Texts that come again and again, kept once. */
class Table {
  readonly texts: string[] = [];
  readonly #indexes = new Map<string, number>();

  /** Where the text stands; -1 for none. */
  index(text: string | null): number {
    if (text === null) return -1;
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    this.#indexes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}
