import { callKey } from "../../lib/session/keys.ts";
import { agentOfStep, type TimelineColumns } from "../../lib/session/timeline.ts";
import type { Connection } from "./connection.ts";

/** What the timeline reads of an event: of payloads, only who speaks from an iteration on. */
interface SlimRow {
  seq: number;
  id: string;
  type: string;
  actor: string | null;
  agent_id: string | null;
  run_id: string | null;
  parent_run_id: string | null;
  caused_by: string | null;
  call_id: string | null;
  iteration: number | null;
  instance: string | null;
  tool: string | null;
  error: number;
  occurred_at: number | null;
  speaker: string | null;
}

/** The timeline after a step, in columns (E8). Null: no such conversation. */
export function readTimeline(connection: Connection, conversationId: string, after: number): TimelineColumns | null {
  const exists = connection.prepare<[string]>("SELECT 1 FROM conversations WHERE id = ?").get(conversationId);
  if (!exists) return null;
  const rows = connection
    .prepare<[string], SlimRow>(
      `SELECT seq, id, type, actor, agent_id, run_id, parent_run_id, caused_by, call_id, iteration, instance, tool, error,
         occurred_at, CASE WHEN type = 'run.iteration' THEN payload ->> '$.speaker.agent_id' END AS speaker
       FROM events WHERE conversation_id = ? ORDER BY seq`,
    )
    .iterate(conversationId);
  return buildTimeline(rows, after);
}

/**
 * Rows become columns. All of the session's rows are gone through even for its last ones: which iteration a call belongs
 * to, who speaks in a run and which step caused another depends on the steps before.
 */
function buildTimeline(rows: Iterable<SlimRow>, after: number): TimelineColumns {
  const tables = new Tables();
  const speakers = new Speakers();
  const seqs = new Map<string, number>();
  const causes: (string | null)[] = [];
  const columns: TimelineColumns = {
    after,
    last: 0,
    tables: tables.columns,
    seq: [],
    time: [],
    type: [],
    actor: [],
    agent: [],
    run: [],
    call: [],
    cause: [],
    error: [],
  };
  for (const row of rows) {
    seqs.set(row.id, row.seq);
    columns.last = row.seq;
    const call = tables.call(row);
    const agent = speakers.agentOf(row);
    if (row.seq <= after) continue;
    columns.seq.push(row.seq);
    columns.time.push(row.occurred_at);
    columns.type.push(tables.type.index(row.type));
    columns.actor.push(tables.actor.index(row.actor));
    columns.agent.push(tables.agent.index(agent));
    columns.run.push(tables.run.index(row.run_id));
    columns.call.push(call);
    columns.error.push(row.error);
    causes.push(row.caused_by);
  }
  // A cause may come after its effect.
  columns.cause = causes.map((id) => (id === null ? 0 : (seqs.get(id) ?? 0)));
  return columns;
}

/** Who speaks in each run by then, as the reducer has it: the newest speaker, else the agent that it began with (D1). */
class Speakers {
  readonly #agents = new Map<string, string | null>();
  readonly #speakers = new Map<string, string>();

  /** Whose step it is. */
  agentOf(row: SlimRow): string | null {
    const { run_id: run, agent_id } = row;
    if (run === null) return agentOfStep(row, null);
    if (!this.#agents.has(run) || (row.type === "run.started" && agent_id !== null)) this.#agents.set(run, agent_id);
    if (row.speaker !== null) this.#speakers.set(run, row.speaker);
    return agentOfStep(row, this.#speakers.get(run) ?? this.#agents.get(run) ?? null);
  }
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

/** The tables of a timeline while it is built, and what is known of each run by then. */
class Tables {
  readonly type = new Table();
  readonly actor = new Table();
  readonly agent = new Table();
  readonly run = new Table();
  readonly #calls: TimelineColumns["tables"]["call"] = [];
  readonly #callIndexes = new Map<string, number>();
  readonly #iterations = new Map<string, number>();

  get columns(): TimelineColumns["tables"] {
    const { type, actor, agent, run } = this;
    return { type: type.texts, actor: actor.texts, agent: agent.texts, run: run.texts, call: this.#calls };
  }

  /** The index of the call that a step is about, -1 for none. Moves the run's iteration on, as the reducer does. */
  call(row: SlimRow): number {
    const run = row.run_id ?? "";
    const current = this.#iterations.get(run) ?? 1;
    if (row.type === "run.iteration") this.#iterations.set(run, row.iteration ?? current + 1);
    else if (row.type === "run.started" || row.type === "plan.proposed")
      this.#iterations.set(run, row.iteration ?? current);
    if (row.call_id === null) return -1;
    return this.#callIndex(row.call_id, row);
  }

  #callIndex(id: string, row: SlimRow): number {
    // A delegate's child run tells of the call of its parent that it carries out (P27).
    const runId = row.type.startsWith("delegate.") ? (row.parent_run_id ?? row.run_id) : row.run_id;
    const iteration = row.iteration ?? this.#iterations.get(runId ?? "") ?? 1;
    const instance = row.instance ?? "";
    const key = callKey(runId, iteration, instance, id);
    const known = this.#callIndexes.get(key);
    if (known === undefined) {
      this.#callIndexes.set(key, this.#calls.length);
      return this.#calls.push({ run: this.run.index(runId), iteration, instance, id, tool: row.tool ?? "" }) - 1;
    }
    const call = this.#calls[known];
    if (call && call.tool === "" && row.tool !== null) call.tool = row.tool;
    return known;
  }
}
