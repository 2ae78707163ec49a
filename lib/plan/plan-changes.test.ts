import { describe, expect, test } from "vitest";
import { planChanges } from "./plan-changes.ts";

const GET = { _tool: "deal.get", _id: "get", id: 7, _outputPath: "†state.deal" };
const CHECK = { _tool: "policy.check", _id: "check", terms: { most: 10, least: 1 } };

describe("C4: what changed from one iteration's plan to the next", () => {
  test("C4: calls that came and went, by their ids", () => {
    const { added, changed, removed } = planChanges([GET, CHECK], [CHECK, { _tool: "deal.update", _id: "update" }]);
    expect(added).toEqual(["update"]);
    expect(removed).toEqual(["get"]);
    expect(changed.size).toBe(0);
  });

  test("C4: a call whose tool, parameters or output path differ is changed, with what differs", () => {
    const { changed } = planChanges(
      [GET, CHECK],
      [
        { ...GET, id: 8, limit: 1 },
        { ...CHECK, terms: { most: 10, least: 2 }, _outputPath: "†state.ok" },
      ],
    );
    expect([...changed]).toEqual([
      ["get", ["id", "limit"]],
      ["check", ["terms", "_outputPath"]],
    ]);
  });

  test("C4: the order of calls and of keys, and the reasoning, change nothing", () => {
    const { added, changed, removed } = planChanges(
      [GET, CHECK],
      [
        { terms: { least: 1, most: 10 }, _id: "check", _tool: "policy.check" },
        { ...GET, _reasoningForCall: "again" },
      ],
    );
    expect([added, [...changed], removed]).toEqual([[], [], []]);
  });

  test("C4: an object is no array, and nothing is no null", () => {
    const plan = (value: object | null) => [{ _tool: "t", _id: "a", value: value as null }];
    expect(planChanges(plan([]), plan({})).changed.size).toBe(1);
    expect(planChanges(plan(null), [{ _tool: "t", _id: "a" }]).changed.size).toBe(1);
  });
});
