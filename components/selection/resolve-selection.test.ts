import { describe, expect, it } from "vitest";
import { PLAN, recorded } from "../studio/testing/recorded.ts";
import { resolveSelection } from "./resolve-selection.ts";

const nothing = { run: null, iteration: null, instance: null };
const plan = (iteration: number) => ({ iteration, calls: PLAN });

describe("C2: what the studio looks at", () => {
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

  it("is the newest plan and the first instance when nothing is selected", () => {
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

  it("falls back where the address names what has not happened by this step", () => {
    const looked = resolveSelection(session, { run: "three", iteration: 9, instance: "⑨" });
    expect([looked.run?.id, looked.iteration, looked.instance]).toEqual(["two", 1, "①"]);
  });

  it("is the same object for all who ask for the same, and another for who selects otherwise", () => {
    expect(resolveSelection(session, { ...nothing })).toBe(resolveSelection(session, { ...nothing, graph: null }));
    expect(resolveSelection(session, { ...nothing, graph: "stages" })).not.toBe(resolveSelection(session, nothing));
    expect(resolveSelection({ ...session }, nothing)).not.toBe(resolveSelection(session, nothing));
  });

  it("offers only runs that no other run started", () => {
    expect(resolveSelection(session, nothing).runs.map(({ id }) => id)).toEqual(["one", "two"]);
  });

  it("stays on the plan when a newer run answers without any", () => {
    const answered = recorded(
      ["run.started", {}, { run_id: "one" }],
      ["plan.proposed", plan(1), { run_id: "one" }],
      ["run.started", {}, { run_id: "two" }],
    );
    expect(resolveSelection(answered, nothing).run?.id).toBe("one");
  });

  it("has nothing to show before any run", () => {
    expect(resolveSelection(recorded(), nothing)).toMatchObject({ run: null, number: 0, plan: null, instance: "" });
  });
});
