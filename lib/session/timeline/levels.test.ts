import { expect, test } from "vitest";
import type { Step } from "../events/event-index-columns.ts";
import { AT_FIRST, BUCKET_STEPS, CHUNK_STEPS, type Chunk, foldChunk, joinBuckets } from "./levels.ts";
import { KINDS } from "./scale/bins.ts";

const PAUSE = 60_000;

/**
 * Turns of six steps with a call each, a minute apart; each tenth call fails. A run of another agent is always active.
 */
function steps(count: number): Step[] {
  let time = 1_700_000_000_000;
  const bare = { iteration: null, instance: null, parent_run_id: null, speaker: null, parent_call: null };
  return Array.from({ length: count }, (_, index) => {
    const turn = Math.floor(index / 6);
    const at = index % 6;
    time += at === 0 ? PAUSE : 500;
    const type =
      index === 3 ? "run.started" : TURN[at] === "call.succeeded" && turn % 10 === 9 ? "call.failed" : TURN[at];
    return {
      ...{ ...bare, parent_instance: null, seq: index + 1, id: `e${index}`, time, type: type ?? "log" },
      actor: at === 0 ? "user:anna" : "agent:desk",
      agent_id: index === 3 ? "watcher" : at === 0 ? null : "desk",
      run_id: index === 3 ? "long" : at === 0 ? null : `r${turn}`,
      caused_by: at === 2 ? `e${index - 2}` : null,
      call_id: at === 2 || at === 4 ? `c${turn}` : null,
      tool: at === 2 || at === 4 ? "orders.get" : null,
      error: type === "call.failed",
    };
  });
}

const TURN = ["message.created", "run.started", "call.started", "log", "call.succeeded", "run.finished"];

function chunksOf(all: readonly Step[]): Chunk[] {
  const chunks: Chunk[] = [];
  let before = AT_FIRST;
  for (let after = 0; after < all.length; after += CHUNK_STEPS) {
    const chunk = foldChunk(before, all.slice(after, after + CHUNK_STEPS), (id) => Number(id.slice(1)) + 1);
    chunks.push(chunk);
    // Serialized as when stored.
    before = JSON.parse(JSON.stringify(chunk.standing));
  }
  return chunks;
}

test("C5: a session reduced in chunks has the same rows, lanes and numbers as reduced at once", () => {
  const all = steps(5_000);
  const whole = foldChunk(AT_FIRST, all, () => null);
  const chunks = chunksOf(all);
  expect(chunks.flatMap(({ rows }) => rows)).toEqual(whole.rows);
  expect(
    joinBuckets(
      chunks.map(({ buckets }) => buckets),
      1,
      5_000,
    ),
  ).toEqual(whole.buckets);
  expect(chunks.at(-1)?.standing.clock).toEqual(whole.standing.clock);
  expect(chunks.at(-1)?.standing.lanes.totals).toEqual(whole.standing.lanes.totals);
  expect(chunks.at(-1)?.standing.lanes.totals.tools).toMatchObject({ count: 833, failed: 83 });
});

test("C5: active items are in each bucket, however long ago they started", () => {
  const buckets = joinBuckets(
    chunksOf(steps(5_000)).map((chunk) => chunk.buckets),
    1,
    5_000,
  );
  expect(buckets.lanes["agent:turns:watcher"]).toBe("x".repeat(Math.ceil(5_000 / BUCKET_STEPS)));
});

test("C5: a long session has few buckets, with all of its steps and pauses", () => {
  const all = steps(300_000);
  const buckets = joinBuckets(
    chunksOf(all).map((chunk) => chunk.buckets),
    1,
    300_000,
  );
  expect(buckets.time.length).toBeLessThanOrEqual(2_048);
  const count = (kind: string) =>
    buckets.kinds[KINDS.findIndex((one) => one.startsWith(kind))]?.reduce((sum, one) => sum + one, 0);
  expect(buckets.kinds.flat().reduce((sum, one) => sum + one, 0)).toBe(300_000);
  expect(count("message")).toBe(50_000);
  expect(count("error")).toBe(5_000);
  expect(buckets.folds.at(-1)).toBeGreaterThan(49_000);
  expect(buckets.to).toBe(300_000);
});

test("C5: the state at a step is bounded", () => {
  const [first, last] = [chunksOf(steps(20_000)), chunksOf(steps(120_000))].map(
    (chunks) => JSON.stringify(chunks.at(-1)?.standing).length,
  );
  expect(last).toBeLessThan(1.1 * (first ?? 0));
});
