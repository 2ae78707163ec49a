import { constants, deflateSync, inflateSync } from "node:zlib";
import type { Step } from "../../lib/session/events/event-index-columns.ts";
import { CHUNK_STEPS, type Chunk, type LevelsStanding } from "../../lib/session/timeline/levels.ts";

/** Chunks of another version are dropped at a start: raise it with every change of what a fold makes of steps. */
export const CHUNK_VERSION = 3;

/** A chunk as it is stored; `seq` is that of its last step. */
export interface StoredChunk {
  seq: number;
  /** Every type and run among its steps, with a line break before and after it. */
  holds: string;
  buckets: string;
  standing: Uint8Array;
}

/**
 * Steps that no chunk tells of are folded when they are asked for, so many at most: some 100 ms. There are more only of a session that came
 * in one piece, or after an update; then whoever asks is told how far it has come.
 */
export const MOST_UNSTORED = 16 * CHUNK_STEPS;

/** So far beyond a chunk steps are looked at for what they change of its rows: a cause that comes late comes soon. */
export const LOOKED_ON = 128;

export type StepRow = Omit<Step, "error"> & { error: 0 | 1 };

export function* stepsOf(rows: Iterable<StepRow>): Generator<Step> {
  for (const { error, ...step } of rows) yield { ...step, error: error === 1 };
}

/** A chunk as it is stored. */
export function toStored({ standing, holds, buckets }: Chunk): StoredChunk {
  return {
    seq: standing.seq,
    holds: markOf(holds.join("\n")),
    buckets: JSON.stringify(buckets),
    standing: deflateSync(JSON.stringify(standing), { level: constants.Z_BEST_SPEED }),
  };
}

/** What was known after a stored chunk. */
export function standingOf(stored: Uint8Array): LevelsStanding {
  return JSON.parse(inflateSync(stored).toString());
}

/** How a type or a run stands in `holds`. */
export function markOf(one: string): string {
  return `\n${one}\n`;
}
