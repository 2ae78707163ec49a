import type { Step } from "../events/event-index-columns.ts";
import { callKey } from "../keys.ts";
import { countFailure, type Failures, NO_FAILURES } from "./failures.ts";
import type { TimelineColumns, TimelineRow, TimelineStanding } from "./timeline.ts";

/** A change of an earlier row by a later step: its cause has arrived, or the failure was retried. */
export interface RowChange {
  seq: number;
  cause?: number;
  error?: false;
}

/** A step's row, and its changes of earlier rows. */
interface Added {
  row: TimelineRow;
  changes: RowChange[];
}

/**
 * Derives the rows of a session's steps, in order; used by the server for a whole log and by the browser for new
 * events. A step's call, speaker, cause and error depend on the steps before.
 */
export class RowMaker {
  #failures: Failures = NO_FAILURES;
  readonly #seqOf: (eventId: string) => number | null;
  readonly #runs = new Map<string, RunStanding>();
  readonly #calls = new Map<string, NonNullable<TimelineRow["call"]>>();
  readonly #seqs = new Map<string, number>();
  /** Steps whose cause has not arrived, by the cause's id. */
  readonly #awaited = new Map<string, number[]>();

  /** `seqOf`: the steps of earlier events. */
  constructor(seqOf: (eventId: string) => number | null = () => null) {
    this.#seqOf = seqOf;
  }

  /** Continues after columns; `rows` are the decoded columns. */
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

  /** Continues from a stored memory; `seqOf` as above. */
  static from({ failures, runs, calls, awaited }: RowMemory, seqOf?: (eventId: string) => number | null): RowMaker {
    const maker = new RowMaker(seqOf);
    maker.#failures = failures;
    for (const [id, run] of runs) maker.#runs.set(id, { ...run });
    for (const call of calls) maker.#calls.set(keyOf(call), { ...call });
    for (const { seq, cause } of awaited) maker.#await(cause, seq);
    return maker;
  }

  /** The memory needed to continue: of runs and calls the newest. `rows` are those that it created. */
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

  /** The number of errors so far. */
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

  /** The serialized state needed to continue; `run` and `agent` return indexes of names in the tables. */
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
   * The agent of a step: its speaker (D1), the agent in it, the current speaker of its run, or its actor's agent. Null
   * if unknown.
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

  /** The call of a step. Updates the run's iteration, as the reducer does. */
  #callOf(step: Step): TimelineRow["call"] {
    if (step.type === "run.iteration" || step.type === "run.started" || step.type === "plan.proposed") {
      const run = this.#runOf(step.run_id ?? "");
      if (step.type === "run.iteration") run.iteration = step.iteration ?? run.iteration + 1;
      else run.iteration = step.iteration ?? run.iteration;
      if (step.type === "run.started") run.parent = step.parent_run_id;
      run.planned = step.type === "plan.proposed";
    }
    if (step.call_id === null) return null;
    // A delegate's run names the parent's call that it executes (P27).
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

/** The state for rows of the next steps, of bounded size: see `RowMaker.remember`. */
export interface RowMemory {
  failures: Failures;
  runs: [id: string, run: RunStanding][];
  calls: NonNullable<TimelineRow["call"]>[];
  awaited: TimelineStanding["awaited"];
}

/** A run or call with this many later ones counts as finished. */
const REMEMBERED = 300;

function putLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** A late cause comes soon; a log whose causes never arrive would otherwise keep all ids. */
const AWAITED = 100;

interface RunStanding {
  iteration: number;
  /** The agent of the run's start. */
  agent: string | null;
  /** Its current speaker (D1). */
  speaker: string | null;
  parent: string | null;
  /** Its iteration has a plan. */
  planned: boolean;
}

/** The prefix of agents' actors. */
const AGENT = "agent:";

function keyOf({ run, iteration, instance, id }: NonNullable<TimelineRow["call"]>): string {
  return callKey(run, iteration, instance, id);
}

/** Creates a step's row, adds it to `rows` if it is after `after`, and applies its changes of earlier rows. */
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

/** Rows in columns, with the state of the `maker` after them. */
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

/** Rows, the first of which follows `after`, with changes by later steps; unchanged ones stay the same objects. */
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

/** A table of unique strings. */
class Table {
  readonly texts: string[] = [];
  readonly #indexes = new Map<string, number>();

  /** The index of a string; -1 for null. */
  index(text: string | null): number {
    if (text === null) return -1;
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    this.#indexes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}
