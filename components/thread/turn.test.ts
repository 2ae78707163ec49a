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

describe("C3: a turn without rows shows its status", () => {
  it("M11: it is queued until the earlier turn has ended", () => {
    expect(turn(["run.started", { queued: true }])).toBe("queued");
    expect(turn(["run.started", { queued: true }], ["run.resumed", {}])).toBe("thinking");
  });

  it("it is thinking while no call runs; a running call has its own row", () => {
    const started: Step = ["call.started", { call_id: "get", tool: "deal.get" }];
    expect(turn(["run.started", {}])).toBe("thinking");
    expect(turn(["run.started", {}], started)).toBeNull();
    expect(turn(["run.started", {}], started, ["call.succeeded", { call_id: "get", tool: "deal.get" }])).toBe(
      "thinking",
    );
  });

  it("D1: it shows nothing at the end of the main graph", () => {
    expect(turn(["run.started", { directed: true }], ["stage.entered", { node: "handle_admin" }])).toBe("thinking");
    expect(turn(["run.started", { directed: true }], ["stage.entered", { node: "END" }])).toBeNull();
  });

  it("it shows nothing while waiting for approval, or when it has ended", () => {
    expect(turn(["run.started", {}], ["run.waiting", {}])).toBeNull();
    for (const end of ["run.finished", "run.failed", "run.cancelled"])
      expect(turn(["run.started", {}], [end, {}])).toBeNull();
  });
});
