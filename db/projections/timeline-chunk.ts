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
