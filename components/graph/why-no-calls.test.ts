import { expect, it } from "vitest";
import { whyNoCalls } from "./why-no-calls.ts";

it("C4: a run without calls says how it ended: only a finished one has answered", () => {
  expect(whyNoCalls({ status: "finished", reason: null })).toBe("answered");
  expect(whyNoCalls({ status: "finished", reason: "Forked" })).toBe("forked");
  expect(whyNoCalls({ status: "cancelled", reason: "Cancelled by operator:anna" })).toBe("cancelled");
  expect(whyNoCalls({ status: "failed", reason: null })).toBe("failed");
  expect(whyNoCalls({ status: "running", reason: null })).toBeNull();
  expect(whyNoCalls(null)).toBeNull();
});
