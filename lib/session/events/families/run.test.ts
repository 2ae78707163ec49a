import { expect, it } from "vitest";
import { emptySession, fold } from "../../reducer/reducer.ts";
import { session } from "../../testing/events.ts";

const FAILED = { code: "http_503", message: "The tool answered 503" };

const events = session(
  ["run.started", {}],
  [
    "plan.proposed",
    {
      iteration: 1,
      calls: [
        { _tool: "pay", _id: "pay", _outputPath: "†state.paid" },
        { _tool: "mail", _id: "mail", paid: "†state.paid" },
      ],
    },
  ],
  ["call.started", { call_id: "pay", tool: "pay", params: {} }],
  ["call.failed", { call_id: "pay", tool: "pay", error: FAILED }],
  ["call.blocked", { call_id: "mail", tool: "mail", reason: "pay failed" }],
  ["run.failed", { error: { code: "calls_failed", message: "pay failed" } }],
  ["run.resumed", { reason: "mended", calls: [{ call_id: "pay" }, { call_id: "mail" }] }],
  ["call.started", { call_id: "pay", tool: "pay", params: {} }],
  ["call.succeeded", { call_id: "pay", tool: "pay" }],
);

const twice = session(
  ["run.started", {}],
  ["call.started", { call_id: "pay", tool: "pay" }],
  ["call.retried", { call_id: "pay", tool: "pay", attempt: 1, error: FAILED, delay_ms: 10 }],
  ["call.failed", { call_id: "pay", tool: "pay", error: FAILED }],
  ["run.resumed", { calls: [{ call_id: "pay" }] }],
);

const at = (step: number) => fold(emptySession("c"), events.slice(0, step));

it("P24: a failed run that is resumed is running, and its calls are planned again", () => {
  const { runs, calls } = at(7);
  expect([...runs.values()]).toMatchObject([{ status: "running", ended_seq: null, error: null }]);
  expect([...calls.values()]).toMatchObject([
    { id: "pay", status: "planned", started_seq: null, ended_seq: null, error: null },
    { id: "mail", status: "planned", reason: null, tries: [] },
  ]);
});

it("P24: attempts before a resume are kept, in order", () => {
  const [pay] = fold(emptySession("c"), twice).calls.values();
  expect(pay?.tries.map(({ seq, attempt, delay_ms }) => [seq, attempt, delay_ms])).toEqual([
    [3, 1, 10],
    [4, 2, null],
  ]);
});

it("P24: a call that is run again has its own duration, and its earlier failure is kept", () => {
  const [pay] = at(9).calls.values();
  expect(pay).toMatchObject({ status: "succeeded", started_seq: 8, ended_seq: 9 });
  expect(pay?.tries).toMatchObject([{ seq: 4, attempt: 1, error: FAILED }]);
  expect(at(9).warnings).toEqual([]);
});

it("E6: a run whose start arrives after its end is running, and ends again without a warning", () => {
  const told = session(["run.finished", {}], ["run.started", {}], ["run.cancelled", {}]);
  const { runs } = fold(emptySession("c"), told.slice(0, 2));
  expect([...runs.values()]).toMatchObject([{ status: "running", ended_seq: null }]);
  const { runs: ended, warnings } = fold(emptySession("c"), told);
  expect([...ended.values()]).toMatchObject([{ status: "cancelled", ended_seq: 3 }]);
  expect(warnings.filter(({ code }) => code === "run_already_ended")).toEqual([]);
});

it("E6: a call that waits after its end was recorded has not ended, and ends again without a warning", () => {
  const call = { call_id: "pay", tool: "pay" };
  const told = session(
    ["call.started", call],
    ["call.failed", { ...call, error: FAILED }],
    ["call.parked", call],
    ["call.cancelled", call],
  );
  const { calls } = fold(emptySession("c"), told.slice(0, 3));
  expect([...calls.values()]).toMatchObject([{ status: "parked", ended_seq: null, error: null }]);
  const { calls: ended, warnings } = fold(emptySession("c"), told);
  expect([...ended.values()]).toMatchObject([{ status: "cancelled", ended_seq: 4 }]);
  expect(warnings.filter(({ code }) => code === "call_already_ended")).toEqual([]);
});
