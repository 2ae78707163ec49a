import { describe, expect, it } from "vitest";
import { changedRows, leftState } from "./left-state.ts";

const CAME = {
  stage: "admin",
  answer: "",
  agent_name: null,
  used_tools: ["prices.get"],
  response_id: "resp_0",
  extracted_info: null,
};
const LEFT = {
  ...CAME,
  answer: "Hello!",
  agent_name: "admin",
  used_tools: ["prices.get", "SwitchToDemo"],
  response_id: "resp_1",
  extracted_info: { niche: "bakery" },
};

describe("the state after a node of the main graph", () => {
  it("D3: has its agent's answer and tools, not those of earlier nodes", () => {
    expect(leftState(CAME, LEFT)).toEqual({
      answer: "Hello!",
      usedTools: ["SwitchToDemo"],
      responseId: "resp_1",
      managerAlert: null,
    });
    expect(leftState(LEFT, LEFT)).toEqual({ answer: null, usedTools: [], responseId: null, managerAlert: null });
  });

  it("marks each changed part, and its parents", () => {
    expect([...changedRows(CAME, LEFT)]).toEqual([
      [".answer", "add"],
      [".agent_name", "add"],
      [".used_tools", "change"],
      [".used_tools[1]", "add"],
      [".response_id", "change"],
      [".extracted_info", "add"],
    ]);
  });

  it("shows the state of an external program as it is", () => {
    expect(leftState({}, { answer: 7, used_tools: "many" })).toMatchObject({ answer: null, usedTools: [] });
  });
});
