/** A session after a step, as it is stored: deflated, which makes it a tenth of the log that it stands for. */
export interface Snapshot {
  seq: number;
  session: Uint8Array;
}
