import { describe, expect, test } from "vitest";
import type { Step } from "../events/event-index-columns.ts";
import { laneFacts } from "./lanes/facts.ts";
import { AT_FIRST, CHUNK_STEPS, foldChunk, joinBuckets } from "./levels.ts";
import type { LongTimeline, RowsPart } from "./long-timeline.ts";
import { modelMaker } from "./model.ts";
import { binSteps } from "./scale/bins.ts";
import { FITTED, placeAt, project, stepAt, xOf, xOfPlace } from "./scale/projection.ts";
import { factsOf } from "./scale/range.ts";

const COUNT = 20 * CHUNK_STEPS + 300;
const NOW = 1_800_000_000_000;
const TURN = ["message.created", "run.started", "call.started", "log", "call.succeeded", "run.finished"];

/** Turns of six steps, a minute apart; each tenth call fails. */
const STEPS = Array.from({ length: COUNT }, (_, index): Step => {
  const turn = Math.floor(index / 6);
  const at = index % 6;
  const type = at === 4 && turn % 10 === 9 ? "call.failed" : (TURN[at] ?? "log");
  return {
    ...{ seq: index + 1, id: `e${index}`, type, time: 1_700_000_000_000 + turn * 60_000 + at * 500 },
    ...{
      iteration: null,
      instance: null,
      parent_run_id: null,
      speaker: null,
      parent_call: null,
      parent_instance: null,
    },
    ...{ actor: at === 0 ? "user:anna" : "agent:desk", agent_id: at === 0 ? null : "desk", run_id: `r${turn}` },
    ...{ caused_by: null, call_id: at === 2 || at === 4 ? `c${turn}` : null, tool: at === 2 ? "orders.get" : null },
    error: type === "call.failed",
  };
});

const chunks = (() => {
  const made = [];
  let before = AT_FIRST;
  for (let after = 0; after < COUNT; after += CHUNK_STEPS) {
    const chunk = foldChunk(before, STEPS.slice(after, after + CHUNK_STEPS), () => null);
    made.push({ ...chunk, before });
    before = chunk.standing;
  }
  return made;
})();

function long(which: readonly number[]): LongTimeline {
  const parts = which.flatMap((index): RowsPart[] => {
    const chunk = chunks[index];
    return chunk ? [{ after: index * CHUNK_STEPS, rows: chunk.rows, before: chunk.before }] : [];
  });
  const coarse = {
    ...joinBuckets(
      chunks.map(({ buckets }) => buckets),
      1,
      COUNT,
    ),
  };
  return { last: COUNT, parts, coarse, detail: null, errors: Math.floor(COUNT / 60), turns: 0 };
}

const modelOf = (timeline: LongTimeline) =>
  modelMaker()(
    timeline.parts.flatMap(({ rows }) => rows),
    timeline,
  );
const model = modelOf(long([7, 8, 20]));
const whole = modelMaker()(chunks.flatMap(({ rows }) => rows));

describe("C5: the timeline of a long session", () => {
  test("steps have the same positions as with all rows, approximately where only buckets are known", () => {
    for (const mode of ["time", "steps"] as const) {
      const [one, other] = [model[mode], whole[mode]];
      if (!one || !other) throw new Error("These steps have times");
      const [a, b] = [project(one, 1_200, FITTED), project(other, 1_200, FITTED)];
      for (let seq = 1; seq <= COUNT; seq += 97) {
        expect(Math.abs(xOf(a, seq) - xOf(b, seq))).toBeLessThan(8);
        expect(xOf(a, seq)).toBeGreaterThanOrEqual(xOf(a, seq - 1));
        const x = xOf(a, seq);
        expect(xOf(a, stepAt(a, x))).toBeCloseTo(x, 3);
        expect(xOfPlace(a, placeAt(a, x))).toBeCloseTo(x, 3);
      }
      expect(xOf(a, COUNT)).toBeCloseTo(1_200 - 16, 1);
    }
  });

  test("columns have all of its steps, and show errors", () => {
    const bins = binSteps(project(model.steps, 1_200, FITTED), model.marks, 4);
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBeCloseTo(COUNT, 0);
    const errors = bins.filter(({ kind }) => kind === "error").reduce((sum, { telling }) => sum + telling, 0);
    expect(Math.abs(errors - Math.floor(COUNT / 60))).toBeLessThan(2);
  });

  test("its numbers equal those of all rows", () => {
    for (const lane of ["user", "agent", "tools", "agent:desk"] as const)
      expect(laneFacts(model, lane, NOW), lane).toEqual(laneFacts(whole, lane, NOW));
    expect(model.turns).toBe(whole.turns);
  });

  test("loaded ranges have their lanes, elsewhere there is a span per bucket", () => {
    const within = ({ from, to }: { from: number; to: number | null }) =>
      from > 7 * CHUNK_STEPS + 6 && (to ?? COUNT) <= 9 * CHUNK_STEPS;
    expect(model.lanes.tools.filter(within)).toEqual(whole.lanes.tools.filter(within));
    const far = model.lanes.tools.filter(({ from }) => from <= 7 * CHUNK_STEPS);
    expect(far.every(({ isMany }) => isMany)).toBe(true);
    expect(far.length).toBe((7 * CHUNK_STEPS) / 64);
  });

  test("a loaded range is counted exactly, others approximately", () => {
    const near = { from: 7 * CHUNK_STEPS + 10, to: 8 * CHUNK_STEPS + 500 };
    expect(factsOf(model, near)).toMatchObject({
      ...factsOf(whole, near),
      ms: expect.any(Number),
      busyMs: expect.any(Number),
    });
    const far = factsOf(model, { from: 1_000, to: 5_000 });
    expect(far.isAbout).toBe(true);
    expect(Math.abs(far.calls - factsOf(whole, { from: 1_000, to: 5_000 }).calls)).toBeLessThan(10);
  });
});
