import { describe, expect, it } from "vitest";
import type { Json } from "@/lib/session/json/json.ts";
import { readTrace } from "./read-trace.ts";

describe("E3: a reasoning trace is recognized by its shape", () => {
  const steps = [
    { phase: "reasoning", content: { thought: "A task is missing" } },
    { phase: "action", content: "create_task" },
  ];

  it("reads steps with phases, and the results", () => {
    const value = {
      agent_id: "task_manager",
      conversation: { steps, final_action: "create_task", final_result: { id: 7 } },
    };
    expect(readTrace(value)).toEqual({ steps, finalAction: "create_task", finalResult: { id: 7 } });
  });

  it("reads the inner part alone, and an incomplete one", () => {
    expect(readTrace({ steps })).toEqual({ steps, finalAction: null, finalResult: null });
    expect(readTrace({ steps: [{ phase: "plan" }] })?.steps).toEqual([{ phase: "plan", content: null }]);
  });

  it.each<Json>([
    null,
    7,
    "steps",
    [],
    {},
    { steps: {} },
    { conversation: { goals: [] } },
    { steps: [{ content: "no phase" }] },
  ])("does not accept %j", (value) => {
    expect(readTrace(value)).toBeNull();
  });
});
