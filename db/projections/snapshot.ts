/** Snapshots are taken at multiples of so many steps. */
export const SNAPSHOT_STRIDE = 250;
/**
 * The number of steps between two snapshots of a session (E8). Reading and reducing 1,000 took two thirds of the time of a
 * slow view. Every 250 steps, snapshots took 43 bytes per 100 of log; every 500, 21.
 */
export const SNAPSHOT_EVERY = 500;
/** After payloads of so many bytes, the next one is taken earlier. */
const SNAPSHOT_BYTES = 1_000_000;
// What the reducer keeps of messages, and so what a snapshot needs of them.
export const MESSAGES_OF_SNAPSHOT = 200;

/**
 * Whether a session lacks a snapshot so many steps and bytes of payloads after its newest one, which takes `newest` bytes (0:
 * there is none). Together they never take more than its log: a run of 10,000 calls has 10 of them, and not 60.
 */
export function isSnapshotDue(since: { steps: number; bytes: number }, newest: number): boolean {
  return since.bytes >= Math.max(newest, since.steps >= SNAPSHOT_EVERY ? 0 : SNAPSHOT_BYTES);
}

/** A session after a step, as it is stored: deflated, which makes it a tenth of the log that it stands for. */
export interface Snapshot {
  seq: number;
  session: Uint8Array;
}
