import { expect, it } from "vitest";
import type { CallStatus } from "@/lib/session/session.ts";
import { countStatuses, instanceStatuses } from "./instance-status.ts";

const call = (instance: string, status: CallStatus, handled = false) => ({
  instance,
  status,
  handled,
  decision: null,
  planned: false,
});

it("P25: an instance has the status that needs most attention; a handled failure does not", () => {
  const calls = [call("a", "succeeded"), call("a", "failed"), call("b", "failed", true), call("b", "succeeded")];
  expect([...instanceStatuses(calls, ["a", "b"])]).toEqual([
    ["a", "failed"],
    ["b", "succeeded"],
  ]);
});

it("E9, P25: an instance with cancelled or only planned calls, or without executed ones, is not done", () => {
  const planned = { ...call("b", "skipped"), planned: true };
  const calls = [call("a", "succeeded"), call("a", "cancelled"), call("b", "succeeded"), planned, call("c", "skipped")];
  expect([...instanceStatuses(calls, ["a", "b", "c"]).values()]).toEqual(["cancelled", "planned", "skipped"]);
});

it("P25: a call without an instance counts for all", () => {
  expect([...instanceStatuses([call("", "parked"), call("a", "succeeded")], ["a", "b"]).values()]).toEqual([
    "parked",
    "parked",
  ]);
});

it("C4: instances are counted by status, those that need attention first", () => {
  expect(countStatuses(["succeeded", "parked", "succeeded", "failed"])).toEqual([
    ["parked", 1],
    ["failed", 1],
    ["succeeded", 2],
  ]);
});
