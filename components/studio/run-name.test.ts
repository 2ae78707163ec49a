import { expect, test } from "vitest";
import { runName } from "./run-name.ts";
import { recorded } from "./testing/recorded.ts";

test("C2: a conversation without a title is called by the first tools of its plan, each once", () => {
  const calls = ["get", "get", "a", "b", "c"].map((tool, i) => ({ _tool: tool, _id: `${i}` }));
  expect(runName(recorded(["run.started", {}]))).toBeNull();
  expect(runName(recorded(["run.started", {}], ["plan.proposed", { iteration: 1, calls }]))).toBe("get, a, b +1");
});
