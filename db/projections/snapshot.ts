// Snapshots are taken at multiples of this, as soon as what was folded since the last one is dear.
export const SNAPSHOT_STRIDE = 250;
export const SNAPSHOT_BYTES = 1_000_000;
// What the reducer keeps of messages, and so what a snapshot needs of them.
export const MESSAGES_OF_SNAPSHOT = 200;

/** A session after a step, as it is stored: deflated, which makes it a tenth of the log that it stands for. */
export interface Snapshot {
  seq: number;
  session: Uint8Array;
}
