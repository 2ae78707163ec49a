import { describe, expect, it } from "vitest";
import { PLAN, recorded } from "../studio/testing/recorded.ts";
import { resolveSelection } from "./resolve-selection.ts";

const nothing = { run: null, iteration: null, instance: null };
const plan = (iteration: number) => ({ iteration, calls: PLAN });

describe("C2: resolving the selection", () => {
  const session = recorded(
    ["run.started", {}, { run_id: "one" }],
    ["plan.proposed", plan(1), { run_id: "one" }],
    ["plan.proposed", plan(2), { run_id: "one" }],
    ["run.started", {}, { run_id: "two" }],
    ["plan.proposed", plan(1), { run_id: "two" }],
    ["state.written", { path: "†state.a", value: 1, instance: "②" }, { run_id: "two" }],
    ["state.written", { path: "†state.a", value: 1, instance: "①" }, { run_id: "two" }],
    ["run.started", {}, { run_id: "child", parent_run_id: "two" }],
  );

  it("is the newest plan and the first instance by default", () => {
    const looked = resolveSelection(session, nothing);
    expect(looked.run?.id).toBe("two");
    expect(looked.number).toBe(2);
    expect(looked.instances).toEqual(["①", "②"]);
    expect(looked.instance).toBe("①");
  });

  it("is what the address names", () => {
    const looked = resolveSelection(session, { run: "one", iteration: 1, instance: null });
    expect([looked.run?.id, looked.iteration, looked.iterations]).toEqual(["one", 1, [1, 2]]);
    expect(resolveSelection(session, { ...nothing, instance: "②" }).instance).toBe("②");
  });

  it("falls back when the address names something after this step", () => {
    const looked = resolveSelection(session, { run: "three", iteration: 9, instance: "⑨" });
    expect([looked.run?.id, looked.iteration, looked.instance]).toEqual(["two", 1, "①"]);
  });

  it("is the same object for the same input", () => {
    expect(resolveSelection(session, { ...nothing })).toBe(resolveSelection(session, { ...nothing, graph: null }));
    expect(resolveSelection(session, { ...nothing, graph: "stages" })).not.toBe(resolveSelection(session, nothing));
    expect(resolveSelection({ ...session }, nothing)).not.toBe(resolveSelection(session, nothing));
  });

  it("offers only top-level runs", () => {
    expect(resolveSelection(session, nothing).runs.map(({ id }) => id)).toEqual(["one", "two"]);
  });

  it("keeps the plan when a newer run answers without one", () => {
    const answered = recorded(
      ["run.started", {}, { run_id: "one" }],
      ["plan.proposed", plan(1), { run_id: "one" }],
      ["run.started", {}, { run_id: "two" }],
    );
    expect(resolveSelection(answered, nothing).run?.id).toBe("one");
  });

  it("is empty before the first run", () => {
    expect(resolveSelection(recorded(), nothing)).toMatchObject({ run: null, number: 0, plan: null, instance: "" });
  });
});
