import { describe, expect, test } from "vitest";
import { stepOf } from "../events/event-index-columns.ts";
import { session } from "../testing/events.ts";
import { countFailure, NO_FAILURES } from "./failures.ts";

/** The steps that are errors in the end. */
function errorsOf(...steps: Parameters<typeof session>): number[] {
  const errors = new Set<number>();
  let failures = NO_FAILURES;
  for (const step of session(...steps).map(stepOf)) {
    const counted = countFailure(failures, step);
    failures = counted.failures;
    if (counted.error) errors.add(step.seq);
    for (const seq of counted.mended) errors.delete(seq);
  }
  expect(failures.count).toBe(errors.size);
  return [...errors];
}

const failure = { code: "x", message: "y" };
const call = { call_id: "a", tool: "t" };
const child = { run_id: "child", parent_run_id: "run" };
const model = { model: "m", provider: "p" };

describe("errors", () => {
  test("a failed call, its run and delegating calls are one error, where it began", () => {
    expect(
      errorsOf(
        ["run.started", {}],
        ["call.started", call],
        ["run.started", { call_id: "a" }, child],
        ["delegate.started", { delegate: "d", call_id: "a" }, child],
        ["call.started", { ...call, call_id: "inner" }, child],
        ["call.failed", { ...call, call_id: "inner", error: failure }, child],
        ["call.blocked", { ...call, call_id: "next" }, child],
        ["run.failed", { error: failure }, child],
        ["delegate.finished", { delegate: "d", call_id: "a", error: failure }, child],
        ["call.failed", { ...call, error: failure }],
        ["run.failed", { error: failure }],
      ),
    ).toEqual([6]);
  });

  test("the same from an agent with less detail in another order", () => {
    expect(
      errorsOf(
        ["run.started", {}],
        ["delegate.finished", { delegate: "d", call_id: "a", error: failure }],
        ["call.failed", { ...call, error: failure }],
        ["run.failed", { error: failure }],
      ),
    ).toEqual([2]);
    expect(
      errorsOf(
        ["run.started", {}],
        ["run.started", { call_id: "a" }, child],
        ["call.failed", { ...call, error: failure }],
        ["run.failed", { error: failure }, child],
      ),
    ).toEqual([3]);
  });

  test("two independently failing calls are two", () => {
    expect(
      errorsOf(
        ["run.started", {}],
        ["call.failed", { ...call, error: failure }],
        ["call.failed", { ...call, call_id: "b", error: failure }],
        ["run.failed", { error: failure }],
      ),
    ).toEqual([2, 3]);
  });

  test("a run that fails by itself is one, in each turn", () => {
    expect(
      errorsOf(
        ["run.started", {}, { run_id: "1" }],
        ["run.failed", { error: failure }, { run_id: "1" }],
        ["run.started", {}, { run_id: "2" }],
        ["run.failed", { error: "y" }, { run_id: "2" }],
        ["run.resumed", {}, { run_id: "2" }],
        ["run.failed", { error: "y" }, { run_id: "2" }],
      ),
    ).toEqual([2, 4, 6]);
  });

  test("a failed model request is one until it is repeated; the run's failure is the same", () => {
    const asked: Parameters<typeof session> = [
      ["run.started", {}],
      ["model.requested", model],
      ["model.failed", model],
    ];
    expect(errorsOf(...asked)).toEqual([3]);
    expect(errorsOf(...asked, ["run.failed", { error: failure }])).toEqual([3]);
    expect(errorsOf(...asked, ["model.requested", model], ["run.finished", {}])).toEqual([]);
    expect(errorsOf(...asked, ["run.finished", {}], ["model.requested", model])).toEqual([3]);
  });

  test("a call that fails because of its model is the model's failure, and none if its plan handles it", () => {
    const asked: Parameters<typeof session> = [
      ["run.started", {}],
      ["model.failed", model],
    ];
    const caused = { caused_by: "e2" };
    expect(errorsOf(...asked, ["call.failed", { ...call, error: failure }, caused])).toEqual([2]);
    expect(errorsOf(...asked, ["call.failed", { ...call, error: failure, handled: true }, caused])).toEqual([]);
  });

  test("an invalid plan is one until another is proposed", () => {
    const rejected: Parameters<typeof session> = [
      ["run.started", {}],
      ["plan.rejected", { iteration: 1 }],
    ];
    expect(errorsOf(...rejected)).toEqual([2]);
    expect(errorsOf(...rejected, ["plan.proposed", { iteration: 2, calls: [] }])).toEqual([]);
  });

  test.each<[string, Parameters<typeof session>[number]]>([
    ["a failure that the plan took up", ["call.failed", { ...call, error: failure, handled: true }]],
    ["a try that is made again", ["call.retried", { ...call, error: failure }]],
    ["a call for want of another", ["call.blocked", call]],
    ["calling a manager", ["manager.alerted", { text: "help" }]],
    [
      "a delegate in which a manager was called",
      ["delegate.finished", { delegate: "d", error: { ...failure, code: "escalated" } }],
    ],
    ["a delegate that was stopped", ["delegate.finished", { delegate: "d", error: { ...failure, code: "cancelled" } }]],
    ["a denial", ["call.denied", call]],
    ["what somebody stops", ["run.cancelled", {}]],
  ])("%s is none", (_, step) => {
    expect(errorsOf(step)).toEqual([]);
  });

  test("the state is bounded, however many fail concurrently", () => {
    const many = session(
      ...Array.from({ length: 500 }, (_, i): Parameters<typeof session>[number] => [
        "call.failed",
        { ...call, call_id: `c${i}`, error: failure },
        { run_id: `r${i % 50}` },
      ]),
    );
    const failures = many.reduce((before, event) => countFailure(before, stepOf(event)).failures, NO_FAILURES);
    expect(failures.count).toBe(500);
    expect(JSON.stringify(failures).length).toBeLessThan(30_000);
  });
});
