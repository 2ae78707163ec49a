import { expect, it } from "vitest";
import { countStatuses, instanceStatuses } from "./instance-status.ts";

const call = (instance: string, status: "succeeded" | "failed" | "parked", handled = false) => ({
  instance,
  status,
  handled,
  decision: null,
});

it("P25: an instance is as what needs a look in it; a failure that the plan took up does not", () => {
  const calls = [call("a", "succeeded"), call("a", "failed"), call("b", "failed", true), call("b", "succeeded")];
  expect([...instanceStatuses(calls, ["a", "b"])]).toEqual([
    ["a", "failed"],
    ["b", "succeeded"],
  ]);
});

it("P25: a call that belongs to no instance counts for all", () => {
  expect([...instanceStatuses([call("", "parked"), call("a", "succeeded")], ["a", "b"]).values()]).toEqual([
    "parked",
    "parked",
  ]);
});

it("C4: many instances are counted by status, what needs a look first", () => {
  expect(countStatuses(["succeeded", "parked", "succeeded", "failed"])).toEqual([
    ["parked", 1],
    ["failed", 1],
    ["succeeded", 2],
  ]);
});
