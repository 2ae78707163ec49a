import {
  addCounts,
  addPart,
  addStored,
  type Counts,
  type CutSeries,
  isEmpty,
  isPlain,
  NUMBERS,
  noCounts,
  noPart,
  type Part,
  type StoredCounts,
  toStored,
} from "../../../lib/rollup/counts.ts";
import { cellId } from "../../../lib/rollup/place.ts";
import type { Prices } from "../../../lib/session/prices.ts";
import type { ErasureGuard } from "../../erasure/erasing.ts";
import { countTotals, printPrices, savePricesWith } from "../../queries/totals.ts";
import {
  type CellChange,
  CellChanges,
  countedAs,
  REMOVE_UNUSED,
  type RollupBatch,
  storedPart,
} from "../../rollup/batch.ts";
import { MARK_NEW, REMOVE_SCORE_PARTS } from "../../rollup/due-scores.ts";
import type { Connection } from "../connection.ts";
import { prepareKnownParts } from "./read-batch.ts";

export interface RollupWrites {
  /** Stores a batch, unless one of its conversations was erased since `epoch`: then it is read again. */
  save(batch: RollupBatch, erasing: ErasureGuard, epoch: number): void;
  /** Subtracts a conversation that is removed. */
  forget(conversation: number): void;
  /** Has a conversation counted again, whose events have changed; what is known of it goes at once. */
  countAgain(conversation: number): void;
  usePrices(prices: Prices): void;
}

const TOTALS = {
  began: "CAST(round(unixepoch(summary ->> '$.created_at', 'subsec') * 1000) AS INTEGER)",
  failed: "summary ->> '$.failures.count'",
  json: (column: string) => column,
};

type StoredPart = StoredCounts & Pick<Part, "longest" | "longest_seq">;

/** Writes the rollup on the writer's connection, in its transactions. */
export function createRollupWrites(connection: Connection): RollupWrites {
  const statements = prepareStatements(connection);
  const knownParts = prepareKnownParts(connection);

  /** Looked up each time: one that is remembered may be of a transaction that was not stored. */
  function idOf(wanted: CutSeries): number {
    const known = statements.series.get(...nameOf(wanted));
    if (known !== undefined) return known;
    const name = nameOf(countedAs(wanted, statements.newestSeries.get() ?? 0));
    statements.addSeries.run(...name);
    const id = statements.series.get(...name);
    if (id === undefined) throw new Error("A series of the rollup was not stored");
    return id;
  }

  function addToPart(conversation: number, hour: number, series: number, more: Part): void {
    // Most are new.
    if (!isEmpty(more)) {
      const added = statements.addPart.run(conversation, hour, series, ...partValues(more));
      if (added.changes > 0) return;
    }
    const before = statements.part.get(conversation, hour, series);
    const sum = before ? storedPart(before) : noPart();
    addPart(sum, more);
    if (isEmpty(sum)) statements.removePart.run(conversation, hour, series);
    else statements.savePart.run(...partValues(sum), conversation, hour, series);
  }

  function addToCell(change: CellChange, id: number, series: CutSeries): void {
    if (isPlain(series)) {
      if (isEmpty(change.counts)) return;
      statements.addToCell.run(id, ...countValues(change.counts));
      if (NUMBERS.some((name) => change.counts[name] < 0)) statements.removeEmptyCell.run(id);
      return;
    }
    const sum = noCounts();
    const before = statements.cell.get(id);
    if (before) addStored(sum, before);
    addCounts(sum, change.counts);
    if (!isEmpty(sum)) statements.saveCell.run(id, ...countValues(sum));
    else if (before) statements.removeCell.run(id);
  }

  function addToCells({ cells, series }: Pick<RollupBatch, "cells" | "series">, idOf: (index: number) => number): void {
    for (const change of cells) {
      const { grain, isFull, hour } = change;
      const of = series[change.series];
      if (of) addToCell(change, cellId(grain, isFull, hour, idOf(change.series)), of);
    }
  }

  return {
    save(batch, erasing, epoch) {
      if ((statements.progress.get() ?? -1) !== batch.from) return;
      if (batch.conversations.some(({ conversation }) => erasing.isOld(conversation, epoch))) return;
      const series = batch.series.map(idOf);
      const seriesOf = (index: number) => series[index] ?? 0;
      for (const { conversation, state, replaces, isNew, change, parts } of batch.conversations) {
        if (replaces === "all") statements.removeParts.run(conversation);
        if (replaces === "scores") statements.removeScoreParts.run(conversation);
        for (const { hour, series: index, part } of parts) addToPart(conversation, hour, seriesOf(index), part);
        if (state !== null) statements.saveState.run(conversation, state);
        if (isNew) statements.markNew.run(conversation);
        if (change !== null) statements.forgetDue.run(conversation, change);
        statements.countTotals.run(conversation);
      }
      addToCells(batch, seriesOf);
      statements.saveProgress.run(batch.to);
      if (batch.conversations.some(({ replaces }) => replaces === "all"))
        for (const remove of statements.removeUnused) remove.run();
    },
    forget(conversation) {
      const changes = new CellChanges();
      const parts = knownParts(conversation);
      for (const { hour, series, part } of parts) changes.add(hour, series, part, -1);
      const series = changes.series.map(idOf);
      addToCells({ cells: changes.all(), series: changes.series }, (index) => series[index] ?? 0);
      statements.removeParts.run(conversation);
      statements.removeState.run(conversation);
      statements.removeTotals.run(conversation);
      statements.removeDue.run(conversation);
    },
    countAgain(conversation) {
      statements.saveState.run(conversation, null);
    },
    usePrices(prices) {
      const text = printPrices(prices);
      if (statements.prices.get() === text) return;
      statements.savePrices.run(text);
      statements.countAllTotals.run();
    },
  };
}

type Name = [string, string, string, string, string, string, string, string, string];

function nameOf({ kind, cut, agent, version, model, channel, stage, tool, score }: CutSeries): Name {
  return [kind, cut, agent, version, model, channel, stage, tool, score];
}

const COLUMNS = [...NUMBERS, "durations", "waits"];

type CountValues = [number, number, number, number, number, number, number, number, Uint8Array, Uint8Array];
type PartValues = [...CountValues, number, number];

/** In the order of `COLUMNS`. */
function countValues(counts: Counts): CountValues {
  const { began, count, failed, escalated, input_tokens, output_tokens, unreported, score_sum, durations, waits } =
    toStored(counts);
  return [began, count, failed, escalated, input_tokens, output_tokens, unreported, score_sum, durations, waits];
}

function partValues(part: Part): PartValues {
  return [...countValues(part), part.longest, part.longest_seq];
}

function prepareStatements(connection: Connection) {
  const name = "kind, cut, agent, version, model, channel, stage, tool, score";
  return {
    addSeries: connection.prepare<Name>(
      `INSERT INTO rollup_series (${name}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    series: connection
      .prepare<Name, number>(
        `SELECT id FROM rollup_series WHERE kind = ? AND cut = ? AND agent = ? AND version = ? AND model = ? AND channel = ?
           AND stage = ? AND tool = ? AND score = ?`,
      )
      .pluck(),
    part: connection.prepare<[number, number, number], StoredPart>(
      `SELECT ${COLUMNS.join(", ")}, longest, longest_seq FROM rollup_parts WHERE conversation = ? AND hour = ? AND series = ?`,
    ),
    addPart: connection.prepare<[number, number, number, ...PartValues]>(
      `INSERT INTO rollup_parts (conversation, hour, series, ${COLUMNS.join(", ")}, longest, longest_seq)
       VALUES (?, ?, ?, ${COLUMNS.map(() => "?").join(", ")}, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    savePart: connection.prepare<[...PartValues, number, number, number]>(
      `UPDATE rollup_parts SET ${COLUMNS.map((column) => `${column} = ?`).join(", ")}, longest = ?, longest_seq = ?
       WHERE conversation = ? AND hour = ? AND series = ?`,
    ),
    removePart: connection.prepare<[number, number, number]>(
      "DELETE FROM rollup_parts WHERE conversation = ? AND hour = ? AND series = ?",
    ),
    removeParts: connection.prepare<[number]>("DELETE FROM rollup_parts WHERE conversation = ?"),
    removeScoreParts: connection.prepare<[number]>(REMOVE_SCORE_PARTS),
    markNew: connection.prepare<[number]>(MARK_NEW),
    forgetDue: connection.prepare<[number, number]>("DELETE FROM rollup_due WHERE conversation = ? AND change = ?"),
    removeDue: connection.prepare<[number]>("DELETE FROM rollup_due WHERE conversation = ?"),
    cell: connection.prepare<[number], StoredCounts>(`SELECT ${COLUMNS.join(", ")} FROM rollup_cells WHERE id = ?`),
    saveCell: connection.prepare<[number, ...CountValues]>(
      `INSERT OR REPLACE INTO rollup_cells (id, ${COLUMNS.join(", ")}) VALUES (?, ${COLUMNS.map(() => "?").join(", ")})`,
    ),
    addToCell: connection.prepare<[number, ...CountValues]>(
      `INSERT INTO rollup_cells (id, ${COLUMNS.join(", ")}) VALUES (?, ${COLUMNS.map(() => "?").join(", ")})
       ON CONFLICT (id) DO UPDATE SET ${NUMBERS.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`,
    ),
    removeEmptyCell: connection.prepare<[number]>(
      `DELETE FROM rollup_cells WHERE id = ? AND ${NUMBERS.map((name) => `${name} = 0`).join(" AND ")}`,
    ),
    removeCell: connection.prepare<[number]>("DELETE FROM rollup_cells WHERE id = ?"),
    saveState: connection.prepare<[number, string | null]>(
      "INSERT INTO rollup_states (conversation, state) VALUES (?, ?) ON CONFLICT (conversation) DO UPDATE SET state = excluded.state",
    ),
    removeState: connection.prepare<[number]>("DELETE FROM rollup_states WHERE conversation = ?"),
    countTotals: connection.prepare<[number]>(countTotals(TOTALS, "position = ?")),
    countAllTotals: connection.prepare(
      countTotals(TOTALS, "position IN (SELECT conversation FROM conversation_totals)"),
    ),
    removeTotals: connection.prepare<[number]>("DELETE FROM conversation_totals WHERE conversation = ?"),
    prices: connection.prepare<[], string>("SELECT prices FROM counted_prices").pluck(),
    savePrices: connection.prepare<[string]>(savePricesWith("?")),
    progress: connection.prepare<[], number>("SELECT position FROM rollup_progress").pluck(),
    saveProgress: connection.prepare<[number]>(
      "INSERT INTO rollup_progress (id, position) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET position = excluded.position",
    ),
    newestSeries: connection.prepare<[], number>("SELECT max(id) FROM rollup_series").pluck(),
    removeUnused: REMOVE_UNUSED.map((statement) => connection.prepare(statement)),
  };
}
