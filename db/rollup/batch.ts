import {
  addCounts,
  addNumbers,
  addStored,
  type Counts,
  type CutSeries,
  cutsOf,
  isPlain,
  NUMBERS,
  noCounts,
  noPart,
  type Part,
  type Series,
  type StoredCounts,
  seriesKey,
} from "../../lib/rollup/counts.ts";
import {
  emptyRollup,
  foldRollup,
  PAYLOAD_TYPES,
  Parts,
  type PlacedPart,
  type RollupState,
  readRollup,
  writeRollup,
} from "../../lib/rollup/fold.ts";
import { dayOf, type Grain } from "../../lib/rollup/place.ts";
import { type RolledScore, type ScoredCall, type ScoredRun, scoreParts } from "../../lib/rollup/score-parts.ts";

/** How much of the log is read at a time. The writer stores it in 10 ms, and answers nobody else meanwhile; for `work` see `Work`. */
export const MOST_ROLLED = { events: 1_000, payload: 8_000_000, work: 1_500 } as const;

/** As far as it is counted what the rollup lacks. */
export const MOST_UNROLLED = 10_000;

/** The columns of a `RolledRow`. Large payloads are not read. */
export const ROLLED_COLUMNS = `position, conversation_id, seq, type, agent_id, run_id, parent_run_id, call_id, iteration, instance,
  tool, error, coalesce(occurred_at, recorded_at) AS at,
  CASE WHEN type IN (${PAYLOAD_TYPES.map((type) => `'${type}'`).join(", ")}) THEN payload ELSE 'null' END AS payload`;

/** What is read of an event for the rollup. */
export interface RolledRow {
  position: number;
  conversation_id: string | null;
  seq: number;
  type: string;
  agent_id: string | null;
  run_id: string | null;
  parent_run_id: string | null;
  call_id: string | null;
  iteration: number | null;
  instance: string | null;
  tool: string | null;
  error: number;
  at: number;
  payload: string;
}

/** A conversation of a batch, and what is added to its parts. */
interface RolledConversation {
  conversation: number;
  /** Its new state; null: it stays as it is. */
  state: string | null;
  /** Which of its parts are replaced: all of one that was counted again, or those of its scores. */
  replaces: "all" | "scores" | null;
  /** It was not counted before: if it has scores, they are counted next. */
  isNew: boolean;
  /** Of scores: the change up to which they are counted. */
  change: number | null;
  parts: { hour: number; series: number; part: Part }[];
}

/** A change of a cell. `series` are indexes into those of the batch. */
export interface CellChange {
  grain: Grain;
  isFull: boolean;
  hour: number;
  series: number;
  counts: Counts;
}

/** A batch of the log for the rollup, folded: what it changes, and how far it goes. */
export interface RollupBatch {
  from: number;
  to: number;
  series: CutSeries[];
  conversations: RolledConversation[];
  cells: CellChange[];
  more: boolean;
}

/** Collects what changes in cells. */
export class CellChanges {
  readonly #cuts = new Map<string, { number: number; series: CutSeries }[]>();
  readonly #numbers = new Map<string, number>();
  readonly series: CutSeries[] = [];
  readonly #cells = new Map<string, CellChange>();

  /** Adds what is counted in an hour by everything to all sums that it is part of; returns the index of its series. */
  add(hour: number, series: Series, counts: Counts, sign: 1 | -1 = 1): number {
    const cuts = this.#cutsOf(series);
    const day = dayOf(hour);
    let full = 0;
    for (const { number, series: cut } of cuts) {
      const isFull = cut.cut === "full";
      if (isFull) full = number;
      if (isPlain(cut)) {
        addNumbers(this.#at({ grain: "hour", isFull, hour, series: number }), counts, sign);
        continue;
      }
      // By hour, parts of conversations tell nearly as shortly by everything as their sums would.
      if (!isFull) addCounts(this.#at({ grain: "hour", isFull, hour, series: number }), counts, sign);
      addCounts(this.#at({ grain: "day", isFull, hour: day, series: number }), counts, sign);
    }
    return full;
  }

  all(): CellChange[] {
    return [...this.#cells.values()];
  }

  #cutsOf(series: Series): { number: number; series: CutSeries }[] {
    const key = seriesKey(series);
    const known = this.#cuts.get(key);
    if (known) return known;
    const cuts = cutsOf(series).map((cut) => ({ number: this.#numberOf(cut), series: cut }));
    this.#cuts.set(key, cuts);
    return cuts;
  }

  #numberOf(series: CutSeries): number {
    const key = cutKey(series);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.series.length);
    return this.series.push(series) - 1;
  }

  /** The change of a cell, to add to. */
  #at(place: Omit<CellChange, "counts">): Counts {
    const key = `${place.grain} ${place.series} ${place.hour}`;
    const known = this.#cells.get(key);
    if (known) return known.counts;
    const counts = noCounts();
    this.#cells.set(key, { ...place, counts });
    return counts;
  }
}

/** The identity of a series among all. */
export function cutKey(series: CutSeries): string {
  return `${series.cut} ${seriesKey(series)}`;
}

/** Folds the next events of the log. `places`: where conversations are in the list, by id; `states`: what is known of them. */
export function foldBatch(
  from: number,
  rows: readonly RolledRow[],
  { places, states, more }: { places: Map<string, number>; states: Map<number, string>; more: boolean },
): RollupBatch | null {
  if (rows.length === 0) return null;
  const open = new Map<number, { state: RollupState; parts: Parts }>();
  const work = new Work();
  let to = from;
  for (const row of rows) {
    if (work.isFull) break;
    to = row.position;
    const conversation = places.get(row.conversation_id ?? "");
    // Removed, or about to be renamed by an erasure, which has it counted again.
    if (conversation === undefined) continue;
    let known = open.get(conversation);
    if (!known) {
      const stored = states.get(conversation);
      known = {
        state: stored === undefined ? emptyRollup() : readRollup(stored),
        parts: new Parts((series) => work.addPart(series)),
      };
      open.set(conversation, known);
      work.addConversation();
    }
    foldRow(known.state, row, known.parts);
  }
  const changes = new CellChanges();
  const conversations = [...open].map(([conversation, { state, parts }]) => ({
    ...{ conversation, state: writeRollup(state), replaces: null, isNew: !states.has(conversation), change: null },
    parts: numbered(parts.all(), changes),
  }));
  return { from, to, series: changes.series, conversations, cells: changes.all(), more: more || work.isFull };
}

/**
 * How much a batch has the writer do, in about 10 µs: a part is one row, a series in it some cells and perhaps a row of its own, and a
 * conversation has its state and a row in each order of the list. Events of a few long conversations are little work, the same number
 * of events of as many conversations, or of as many tools, is ten times that.
 */
class Work {
  #done = 0;
  readonly #series = new Set<string>();

  addConversation(): void {
    this.#done += 5;
  }

  addPart(series: string): void {
    this.#done += this.#series.has(series) ? 1 : 4;
    this.#series.add(series);
  }

  get isFull(): boolean {
    return this.#done >= MOST_ROLLED.work;
  }
}

/** Counts a conversation again: all of its events that the rollup has, one page after the other. */
export class CountedAgain {
  readonly #state = emptyRollup();
  readonly #parts = new Parts();

  take(rows: readonly RolledRow[]): void {
    for (const row of rows) foldRow(this.#state, row, this.#parts);
  }

  /** What replaces its parts of before. */
  end(from: number, conversation: number, before: readonly PlacedPart[]): RollupBatch {
    const changes = new CellChanges();
    for (const { hour, series, part } of before) changes.add(hour, series, part, -1);
    const rolled: RolledConversation = {
      ...{ conversation, state: writeRollup(this.#state), replaces: "all", isNew: true, change: null },
      parts: numbered(this.#parts.all(), changes),
    };
    const conversations = [rolled];
    return { from, to: from, series: changes.series, conversations, cells: changes.all(), more: true };
  }
}

function numbered(parts: readonly PlacedPart[], changes: CellChanges): RolledConversation["parts"] {
  return parts.map(({ hour, series, part }) => ({ hour, series: changes.add(hour, series, part), part }));
}

/** A conversation whose scores have changed, as it is read; `state` is that of the rollup. */
export interface DueScores {
  conversation: number;
  change: number;
  state: string;
  scores: RolledScore[];
  runs: ScoredRun[];
  calls: ScoredCall[];
  /** All parts that it has now. */
  before: PlacedPart[];
}

/** Conversations whose scores are counted at a time. */
export const MOST_DUE = 50;

/** Counts the scores of conversations again. */
export function countScores(from: number, due: readonly DueScores[]): RollupBatch {
  const changes = new CellChanges();
  const conversations = due.map(({ conversation, change, state, scores, runs, calls, before }): RolledConversation => {
    for (const { hour, series, part } of before) if (series.kind === "score") changes.add(hour, series, part, -1);
    return {
      ...{ conversation, state: null, replaces: "scores", isNew: false, change },
      parts: numbered(scoreParts(readRollup(state), scores, runs, calls), changes),
    };
  });
  return { from, to: from, series: changes.series, conversations, cells: changes.all(), more: due.length === MOST_DUE };
}

function foldRow(state: RollupState, { payload, error, ...row }: RolledRow, parts: Parts): void {
  foldRollup(state, { ...row, error: error === 1, payload: JSON.parse(payload) }, parts);
}

/** Series that are told apart at most: programs make up as many names as they like. All further ones are counted as one. */
const MOST_SERIES = 200_000;
const OTHER = "…";

/** The series under which one that is not known yet is counted, where so many are known. */
export function countedAs(series: CutSeries, known: number): CutSeries {
  if (known < MOST_SERIES) return series;
  return {
    ...series,
    agent: OTHER,
    version: OTHER,
    model: OTHER,
    channel: OTHER,
    stage: OTHER,
    tool: OTHER,
    score: OTHER,
  };
}

/** After an erasure: series that nothing is counted under any more, since names of agents may contain those of people. */
export const REMOVE_UNUSED = [
  `DELETE FROM rollup_series WHERE cut = 'full'
     AND NOT EXISTS (SELECT 1 FROM rollup_parts WHERE rollup_parts.series = rollup_series.id)`,
  `DELETE FROM rollup_series WHERE cut = 'version' AND NOT EXISTS (SELECT 1 FROM rollup_series AS whole
     WHERE whole.kind = rollup_series.kind AND whole.cut = 'full' AND whole.agent = rollup_series.agent
       AND whole.version = rollup_series.version AND whole.tool = rollup_series.tool AND whole.score = rollup_series.score)`,
  `DELETE FROM rollup_series WHERE cut IN ('model', 'channel', 'stage') AND kind = 'score'
     AND NOT EXISTS (SELECT 1 FROM rollup_series AS whole
       WHERE whole.kind = 'score' AND whole.cut = 'full' AND whole.score = rollup_series.score)`,
] as const;

/** A row of `rollup_parts` with its series. */
export type PartRow = StoredCounts & Pick<Part, "longest" | "longest_seq"> & { hour: number } & Series;

/** The columns of a `PartRow`. */
export const PART_COLUMNS = `hour, kind, agent, version, model, channel, stage, tool, score, ${NUMBERS.join(", ")}, durations, waits,
  longest, longest_seq`;

export function toPart({
  hour,
  kind,
  agent,
  version,
  model,
  channel,
  stage,
  tool,
  score,
  ...stored
}: PartRow): PlacedPart {
  return { hour, series: { kind, agent, version, model, channel, stage, tool, score }, part: storedPart(stored) };
}

export function storedPart(stored: StoredCounts & Pick<Part, "longest" | "longest_seq">): Part {
  const part = noPart();
  addStored(part, stored);
  part.longest = stored.longest;
  part.longest_seq = stored.longest_seq;
  return part;
}
