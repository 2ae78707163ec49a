import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import type { Isolation, Recorded } from "../../isolation.ts";
import { setup, type TestTool } from "../../testing/setup.ts";

/** A fork that has these recorded, by tool. */
function forkWith(recorded: Record<string, Recorded["result"]>, mode: "shadow" | "real" = "shadow"): Isolation {
  return {
    modeOf: async () => mode,
    scopeOf: async (_conversation, user) => `fork:c:${user}`,
    recorded: async (_conversation, { tool }) => {
      const result = recorded[tool];
      return result ? { at: { conversation_id: "source", seq: 9 }, branch: null, result } : null;
    },
  };
}

async function runIn(isolation: Isolation, plan: JsonObject[], tools: Record<string, TestTool>, mode?: "shadow") {
  const made = setup({ tools, isolation });
  const id = await made.run(plan, {
    ...{ conversation_id: "c", user_id: "anna", mode: mode ?? "execute" },
    context: [{ type: "data", kind: "state", data: {} }],
  });
  return { made, id, calls: made.runOf(id) && [...made.session().calls.values()] };
}

describe("E9: a fork that simulates its calls", () => {
  test("no tool is called, a manager neither; recorded ends answer, be it with an error; what stays inside runs", async () => {
    const called: string[] = [];
    const tool = (name: string, more: Partial<TestTool> = {}): TestTool => ({
      activity: async () => {
        called.push(name);
        return true;
      },
      ...more,
    });
    const tools = {
      ...{
        look: tool("look", { effect: "read" }),
        pay: tool("pay", { requires_confirmation: true }),
        fail: tool("fail"),
      },
      ...{ note: tool("note", { effect: "none" }), help: tool("help", { effect: "none", control: "escalate" }) },
      ...{ told: {}, unknown: {} },
    };
    const { made, id, calls } = await runIn(
      forkWith({
        look: { ok: true, output: { sum: 5 } },
        fail: { ok: false, error: { code: "gone", message: "It is gone" } },
        help: { ok: true, output: true },
      }),
      [
        { _tool: "look", _id: "look", _outputPath: "†state.found" },
        { _tool: "pay", _id: "pay", sum: "†state.found.sum" },
        { _tool: "fail", _id: "fail", _outputPath: "†state.ok || †state.error" },
        { _tool: "note", _id: "note" },
        { _tool: "help", _id: "help" },
        { _tool: "told", _id: "told", _output: 1 },
      ],
      tools,
    );
    expect(called).toEqual(["note"]);
    const at = { conversation_id: "source", seq: 9 };
    expect(
      Object.fromEntries((calls ?? []).map((call) => [call.id, [call.status, call.recorded, call.planned]])),
    ).toEqual({
      look: ["succeeded", at, false],
      pay: ["skipped", null, true],
      fail: ["failed", at, false],
      note: ["succeeded", null, false],
      help: ["succeeded", at, false],
      told: ["succeeded", null, false],
    });
    expect(made.session().alerts).toEqual([]);
    expect(made.session().confirmations.size).toBe(0);
    expect(made.runOf(id)).toMatchObject({ status: "finished", state: { "": { found: { sum: 5 } } } });
  });

  test("what nothing here can carry out is blocked; a fork that is real calls its tools", async () => {
    const plan = [{ _tool: "latent", _id: "latent" }];
    const { calls } = await runIn(forkWith({}), plan, { latent: {} });
    expect(calls).toMatchObject([{ status: "blocked", reason: expect.stringContaining("no result was recorded") }]);

    let count = 0;
    const activity = async () => {
      count += 1;
      return true;
    };
    const real = [{ _tool: "look", _id: "look" }];
    await runIn(forkWith({}, "real"), real, { look: { activity } });
    expect(count).toBe(1);
    await runIn(forkWith({}, "real"), real, { look: { activity } }, "shadow");
    expect(count).toBe(1);
  });
});
