import { describe, expect, it } from "vitest";
import { recorded, type Step } from "@/components/studio/testing/recorded.ts";
import { turnOf } from "./turn.ts";

/** What the run of these steps does that no row shows. */
function turn(...steps: Step[]) {
  const session = recorded(...steps);
  const run = session.runs.get("run");
  if (!run) throw new Error("There is no run");
  return turnOf(session, run);
}

describe("C3: a turn that has nothing to show yet says so", () => {
  it("M11: waits for an earlier turn until its own has come", () => {
    expect(turn(["run.started", { queued: true }])).toBe("queued");
    expect(turn(["run.started", { queued: true }], ["run.resumed", {}])).toBe("thinking");
  });

  it("thinks while no call of it runs; a call that runs has a row of its own", () => {
    const started: Step = ["call.started", { call_id: "get", tool: "deal.get" }];
    expect(turn(["run.started", {}])).toBe("thinking");
    expect(turn(["run.started", {}], started)).toBeNull();
    expect(turn(["run.started", {}], started, ["call.succeeded", { call_id: "get", tool: "deal.get" }])).toBe(
      "thinking",
    );
  });

  it("D1: says nothing more once the turn has come to the end of the main graph", () => {
    expect(turn(["run.started", { directed: true }], ["stage.entered", { node: "handle_admin" }])).toBe("thinking");
    expect(turn(["run.started", { directed: true }], ["stage.entered", { node: "END" }])).toBeNull();
  });

  it("says nothing while a person is asked, and when it is over", () => {
    expect(turn(["run.started", {}], ["run.waiting", {}])).toBeNull();
    for (const end of ["run.finished", "run.failed", "run.cancelled"])
      expect(turn(["run.started", {}], [end, {}])).toBeNull();
  });
});
