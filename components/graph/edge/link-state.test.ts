import { describe, expect, test } from "vitest";
import { plannedCall } from "@/lib/session/families/plan.ts";
import type { Call } from "@/lib/session/session.ts";
import { linkState, targetState } from "./link-state.ts";

function call(change: Partial<Call>): Call {
  return { ...plannedCall("run", 1, "", { _id: "c", _tool: "t" }), ...change };
}

const FIRST = { alternative: 0, target: 0 };
const SECOND = { alternative: 1, target: 0 };

describe("P10, P21: what an edge shows", () => {
  test("P10: the alternative that was taken has its value, the other never will", () => {
    const taken = call({ status: "succeeded", branch: 1 });
    expect([targetState(taken, FIRST, 2), targetState(taken, SECOND, 2)]).toEqual(["off", "done"]);
    expect(targetState(call({ status: "succeeded" }), FIRST, 2)).toBe("done");
  });

  test("P10: a handled failure goes to the last alternative, any other writes nothing", () => {
    expect(targetState(call({ status: "failed", handled: true }), SECOND, 2)).toBe("done");
    expect(targetState(call({ status: "failed" }), SECOND, 2)).toBe("off");
  });

  test("P21: a call that has not ended may still write", () => {
    expect(
      [null, call({}), call({ status: "running" }), call({ status: "parked" })].map((one) =>
        targetState(one, FIRST, 1),
      ),
    ).toEqual(["idle", "idle", "idle", "idle"]);
  });

  test("P21: an edge into a blocked call is cut where its writer was lost, not where a branch was not taken", () => {
    const blocked = call({ status: "blocked" });
    expect(linkState(call({ status: "denied" }), blocked, FIRST, 1)).toBe("cut");
    expect(linkState(call({ status: "succeeded" }), blocked, FIRST, 1)).toBe("done");
    expect(linkState(call({ status: "succeeded" }), blocked, SECOND, 2)).toBe("off");
  });
});
