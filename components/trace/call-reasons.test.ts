import { describe, expect, it } from "vitest";
import { recorded } from "@/components/studio/testing/recorded.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { callReasons } from "./call-reasons.ts";

describe("C6: reasons of planned calls", () => {
  const calls: JsonObject[] = [
    { _tool: "deal.get", _id: "get", _reasoningForCall: "Its amount is unknown" },
    { _tool: "clock", _id: "time" },
    { _tool: "deal.update", _id: "update", _reasoningForCall: "The user asks for it" },
  ];
  const second = { iteration: 2, calls: [{ _tool: "mail", _id: "mail", _reasoningForCall: "Anna has to know" }] };

  it("lists reasons by plan, newest first, each with the status of its calls", () => {
    const session = recorded(
      ["run.started", {}],
      ["plan.proposed", { iteration: 1, calls }],
      ["call.started", { call_id: "get", tool: "deal.get", iteration: 1 }],
      ["call.succeeded", { call_id: "get", tool: "deal.get", iteration: 1 }],
      ["plan.proposed", second],
    );
    const told = callReasons(session).map(({ iteration, reasons }) => [
      iteration,
      reasons.map(({ tool, reasoning, calls }) => [tool, reasoning, calls.map(({ status }) => status)]),
    ]);
    expect(told).toEqual([
      [2, [["mail", "Anna has to know", ["planned"]]]],
      [
        1,
        [
          ["deal.get", "Its amount is unknown", ["succeeded"]],
          ["deal.update", "The user asks for it", ["planned"]],
        ],
      ],
    ]);
  });

  it("leaves out plans without reasons", () => {
    expect(
      callReasons(recorded(["plan.proposed", { iteration: 1, calls: [{ _tool: "clock", _id: "time" }] }])),
    ).toEqual([]);
  });
});
