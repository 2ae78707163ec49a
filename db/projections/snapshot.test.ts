import { expect, test } from "vitest";
import { isSnapshotDue, SNAPSHOT_EVERY, SNAPSHOT_STRIDE } from "./snapshot.ts";

test("E8: a small session has a snapshot every 500 steps, one with long payloads more often", () => {
  expect(isSnapshotDue({ steps: SNAPSHOT_EVERY, bytes: 20_000 }, 2_000)).toBe(true);
  expect(isSnapshotDue({ steps: SNAPSHOT_STRIDE, bytes: 20_000 }, 2_000)).toBe(false);
  expect(isSnapshotDue({ steps: SNAPSHOT_STRIDE, bytes: 1_000_000 }, 2_000)).toBe(true);
});

test("E8: the snapshots of a session with a large state never take more than its log", () => {
  const state = 300_000;
  const payload = 100;
  let newest = { seq: 0, size: 0 };
  let snapshots = 0;
  for (let seq = SNAPSHOT_STRIDE; seq <= 30_000; seq += SNAPSHOT_STRIDE) {
    const steps = seq - newest.seq;
    if (!isSnapshotDue({ steps, bytes: steps * payload }, newest.size)) continue;
    newest = { seq, size: state };
    snapshots += 1;
  }
  // The first is taken before it is known how large it is.
  expect(snapshots).toBe(1 + Math.floor((30_000 - SNAPSHOT_EVERY) / (state / payload)));
});
