import { describe, expect, it } from "vitest";
import { createSchemaChecker } from "../engine/json-schema.ts";
import type { JsonObject } from "../session/json/json.ts";
import { dialogTools } from "./tools.ts";

const checker = createSchemaChecker();

/** A tool, and whether its schema accepts parameters. */
function tool(name: string) {
  const found = dialogTools.find((each) => each.name === name);
  if (!found) throw new Error(`There is no tool ${name}`);
  return { ...found, takes: (params: JsonObject) => checker.faults(found.schema, params).length === 0 };
}

describe("D5, D9: tools that end an agent's part of a turn", () => {
  it("CallManager ends the whole turn, with a reason for the manager", () => {
    const { control, effect, guard, takes } = tool("CallManager");
    expect([control, effect, guard?.risk({ text: "She wants her money back" })]).toEqual(["escalate", "none", null]);
    expect([takes({ text: "x" }), takes({ text: "x", reason: "refund" })]).toEqual([true, true]);
    const wrong: JsonObject[] = [
      {},
      { text: "" },
      { text: " \n " },
      { text: "x".repeat(2_001) },
      { text: "x", to: "anna" },
    ];
    expect(wrong.map(takes)).toEqual(wrong.map(() => false));
    expect(takes({ text: "\nShe wants\nher money back" })).toBe(true);
    expect(guard?.describe({ text: "Возврат" }, "ru")).toBe("Позвать менеджера: Возврат");
  });

  it("SwitchToDemo switches to the demonstration, of another business if requested", () => {
    const { control, effect, guard, takes } = tool("SwitchToDemo");
    expect([control, effect, guard?.risk({})]).toEqual(["hand_over", "none", null]);
    expect([takes({}), takes({ another_business: true }), takes({ another_business: "florist" })]).toEqual([
      ...[true, true, false],
    ]);
    expect(guard?.describe({}, "en")).toBe("Begin the demonstration");
  });
});
