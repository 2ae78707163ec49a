import { expect, test } from "vitest";
import { callNamed, row } from "../../testing/timeline-rows.ts";
import { modelMaker } from "../model.ts";
import { laneFacts } from "./facts.ts";

const [a, b] = [callNamed("a"), callNamed("b")];
const rows = [
  row(1, "message.created", { actor: "user:anna", time: 0 }),
  row(2, "call.started", { call: a, time: 1_000 }),
  row(3, "call.started", { call: b, time: 2_000 }),
  row(4, "call.failed", { call: a, time: 4_000 }),
  row(5, "call.succeeded", { call: b, time: 6_000 }),
];

test("C5: a lane's numbers: failures, duration with overlaps once, range", () => {
  const model = modelMaker()(rows);
  expect(laneFacts(model, "tools", 9_000)).toEqual({ count: 2, failed: 1, busyMs: 5_000, first: 2, last: 5 });
  expect(laneFacts(model, "user", 9_000)).toEqual({ count: 1, failed: 0, busyMs: null, first: 1, last: 1 });
});

test("C5: an active item has no last step, and lasts until the newest one", () => {
  const model = modelMaker()(rows.slice(0, 4));
  expect(laneFacts(model, "tools", 9_000)).toEqual({ count: 2, failed: 1, busyMs: 3_000, first: 2, last: null });
});

test("C5: an open approval has lasted until now", () => {
  const model = modelMaker()([
    row(1, "confirmation.requested", { call: a, time: 1_000 }),
    row(2, "message.created", { actor: "user:anna", time: 2_000 }),
  ]);
  expect(laneFacts(model, "approvals", 61_000)).toMatchObject({ count: 1, busyMs: 60_000, last: null });
});

test("C5: without times there is no duration", () => {
  const model = modelMaker()(rows.map((one) => ({ ...one, time: null })));
  expect(laneFacts(model, "tools", 9_000).busyMs).toBeNull();
});
