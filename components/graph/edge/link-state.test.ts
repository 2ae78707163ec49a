import { describe, expect, test } from "vitest";
import { plannedCall } from "@/lib/session/events/families/plan.ts";
import type { Call } from "@/lib/session/session.ts";
import { linkState, targetState } from "./link-state.ts";

function call(change: Partial<Call>): Call {
  return { ...plannedCall("run", 1, "", { _id: "c", _tool: "t" }), ...change };
}

const FIRST = { alternative: 0, target: 0 };
const SECOND = { alternative: 1, target: 0 };

describe("P10, P21: the state of an edge", () => {
  test("P10: the taken alternative has a value, the others never will", () => {
    const taken = call({ status: "succeeded", branch: 1 });
    expect([targetState(taken, FIRST, 2), targetState(taken, SECOND, 2)]).toEqual(["off", "done"]);
    expect(targetState(call({ status: "succeeded" }), FIRST, 2)).toBe("done");
  });

  test("P10: a handled failure writes the last alternative, any other failure writes nothing", () => {
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

  test("P21: an edge to a blocked call is cut when its writer failed, not when a branch was not taken", () => {
    const blocked = call({ status: "blocked" });
    expect(linkState(call({ status: "denied" }), blocked, FIRST, 1)).toBe("cut");
    expect(linkState(call({ status: "succeeded" }), blocked, FIRST, 1)).toBe("done");
    expect(linkState(call({ status: "succeeded" }), blocked, SECOND, 2)).toBe("off");
  });
});
