import { describe, expect, test } from "vitest";
import { callNamed, row } from "../testing/timeline-rows.ts";
import { modelMaker } from "./model.ts";

const rows = [
  row(1, "message.created", { actor: "user:alice", time: 1_000 }),
  row(2, "call.started", { call: callNamed("a"), time: 1_100, cause: 1 }),
  row(3, "call.failed", { call: callNamed("a"), time: 1_200, cause: 2, error: true }),
];

describe("C5: the timeline grows with the session", () => {
  test("an incrementally updated model equals one created from all rows", () => {
    const grown = modelMaker();
    grown(rows.slice(0, 1));
    grown(rows.slice(0, 2));
    expect(grown(rows)).toEqual(modelMaker()(rows));
  });

  test("rows that do not continue the previous ones start a new model", () => {
    const make = modelMaker();
    make(rows);
    const others = rows.map((one) => ({ ...one }));
    expect(make(others)).toEqual(modelMaker()(others));
  });

  test("simultaneous steps are shown by number, others by time", () => {
    const atOnce = rows.map((one) => ({ ...one, time: 1_000 }));
    expect(modelMaker()(atOnce)).toMatchObject({ mode: "steps", time: { mode: "time" } });
    expect(modelMaker()(rows).mode).toBe("time");
  });

  test("drawn errors are counted", () => {
    expect(modelMaker()(rows).errors).toBe(1);
  });
});
