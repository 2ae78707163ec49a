import { describe, expect, it } from "vitest";
import { type Answerer, beginners, defaultFirst, whoAnswers } from "./who-answers.ts";

const agent = (id: string, isDefault = false): Answerer => ({
  id,
  description: "",
  mode: "shadow",
  default: isDefault,
});
const AGENTS = [agent("crm"), agent("admin", true)];

describe("C3: the box says who answers", () => {
  it("returns the conversation's agent, if this server has it", () => {
    expect(whoAnswers({ agent_id: "crm", channel: "web" }, true, AGENTS)?.id).toBe("crm");
    expect(whoAnswers({ agent_id: "crm", channel: null }, false, AGENTS)?.id).toBe("crm");
  });

  it("returns the default agent if no agent is named and none has answered yet", () => {
    expect(whoAnswers({ agent_id: null, channel: "web" }, false, AGENTS)?.id).toBe("admin");
  });

  it("returns none for imports, for conversations of external agents, and without a default agent", () => {
    expect(whoAnswers({ agent_id: "deal-agent", channel: "web" }, true, AGENTS)).toBeNull();
    expect(whoAnswers({ agent_id: null, channel: null }, true, AGENTS)).toBeNull();
    expect(whoAnswers({ agent_id: null, channel: "import" }, false, AGENTS)).toBeNull();
    expect(whoAnswers({ agent_id: null, channel: "web" }, false, [agent("crm")])).toBeNull();
  });

  it("D1: offers only agents with which a conversation can start", () => {
    const stages = [null, "admin", "demo", "demo_setup"] as const;
    expect(beginners(stages.map((stage) => ({ stage })))).toEqual([{ stage: null }, { stage: "admin" }]);
  });

  it("offers the default agent first, and the others in their order", () => {
    expect(defaultFirst([agent("a"), agent("b"), agent("c", true)]).map(({ id }) => id)).toEqual(["c", "a", "b"]);
  });
});
