import { expect, test } from "vitest";
import { checker, tool } from "../testing/check-plan.ts";
import { string } from "../testing/tools.ts";
import { validatePlan } from "./validate.ts";

test("P16: all that one validation checks is bounded together, and what is not checked any more is told", () => {
  const spent = { ...checker, faults: () => [{ path: ["name"], message: "could not be checked" }] };
  const { problems } = validatePlan({
    plan: [{ _tool: "greet", _id: "a", name: "Ann" }],
    toolbox: { tool: () => tool("greet", { name: string }), delegate: () => undefined },
    context: { data: [], text: [] },
    checker: { ...checker, bounded: () => spent },
  });
  expect(problems).toMatchObject([
    { code: "invalid_params", path: "/name", message: expect.stringContaining("could not be checked") },
  ]);
});
