import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import type { NewEvent } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent } from "../subject.ts";
import { decided, REFUND, requested, run, started } from "./asking.ts";

/** The contract of `Runs.unusedApproval`, and of `Log.appendOwn` using an approval (P22a). */
export function approvalsContract(make: MakeSubject): void {
  describe("Approvals", () => {
    const subject = eachTime(make);
    const own = (...events: NewEvent[]) => subject().storage.log.appendOwn(events);
    const outside = (...events: NewEvent[]) => subject().storage.log.append(events);
    const unused = (action: { method: string; params: JsonObject } = REFUND, conversationId = "c") =>
      subject().storage.runs.unusedApproval(conversationId, action);
    const approvedAndGone = async (id: string, decision: JsonObject = {}) => {
      await own(run(id), requested(`${id}/k`, { run_id: id }));
      await own(
        decided(`${id}/k`, "approved", { run_id: id, payload: decision }),
        newEvent({ id: `${id} ended`, type: "run.failed", run_id: id, payload: {} }),
      );
    };

    test("P22a: an approval whose run has ended authorizes the first identical action, once", async () => {
      await approvedAndGone("r1");
      await approvedAndGone("r2");
      expect(await unused()).toBe("r1/k");
      await own(run("s"), started("refund", "r1/k", { run_id: "s" }));
      expect(await unused()).toBe("r2/k");
      await own(started("once more", "r2/k", { run_id: "s" }));
      expect(await unused()).toBeNull();
    });

    test("P22a: an approval of a cancelled run authorizes nothing", async () => {
      await own(run("r"), requested("r/k", { run_id: "r" }), decided("r/k", "approved", { run_id: "r" }));
      await own(newEvent({ id: "cancelled", type: "run.cancelled", run_id: "r", payload: {} }));
      expect(await unused()).toBeNull();
    });

    test("P22a: an identical action has the same method and parameters, in any order of keys", async () => {
      await approvedAndGone("r");
      const { to, amount } = REFUND.params;
      const reordered = { account: to.account, customer: to.customer };
      expect(await unused({ params: { to: reordered, amount }, method: "issueRefund" })).toBe("r/k");
      expect(await unused({ ...REFUND, method: "IssueRefund" })).toBeNull();
      expect(await unused({ ...REFUND, params: { ...REFUND.params, amount: 41 } })).toBeNull();
      expect(await unused({ ...REFUND, params: { ...REFUND.params, amount: "40" } })).toBeNull();
      expect(await unused({ ...REFUND, params: { ...REFUND.params, more: null } })).toBeNull();
      expect(await unused({ ...REFUND, params: { amount, to: [to.customer, to.account] } })).toBeNull();
      expect(await unused(REFUND, "other")).toBeNull();
    });

    test("P22a: an approval belongs to its parked call while the run is open, also after it was resumed", async () => {
      await own(run("r"), requested("r/k", { run_id: "r" }), decided("r/k", "approved", { run_id: "r" }));
      expect(await unused()).toBeNull();
      await own(newEvent({ id: "failed", type: "run.failed", run_id: "r", payload: {} }));
      expect(await unused()).toBe("r/k");
      await own(newEvent({ id: "resumed", type: "run.resumed", run_id: "r", payload: {} }));
      expect(await unused()).toBeNull();
    });

    test("P22: an edited action is approved as edited", async () => {
      const action = { method: "issueRefund", params: { amount: 30 } };
      await approvedAndGone("r", { action });
      expect(await unused()).toBeNull();
      expect(await unused(action)).toBe("r/k");
    });

    test("P23: an approval with a recorded result is used", async () => {
      await approvedAndGone("r", { result: { done: true } });
      expect(await unused()).toBeNull();
    });

    test("P22a: a denial, a decision from outside, or an external agent's approval authorizes nothing", async () => {
      await own(run("denied"), requested("d", { run_id: "denied" }), decided("d", "denied", { run_id: "denied" }));
      await own(newEvent({ id: "denied ended", type: "run.failed", run_id: "denied", payload: {} }));
      await outside(requested("o", { run_id: "theirs" }), decided("o", "approved", { run_id: "theirs" }));
      expect(await unused()).toBeNull();
    });

    test("P22a: of two calls with one approval the first gets it; its retry keeps it", async () => {
      await approvedAndGone("r");
      await own(run("s"));
      const outcomes = await Promise.allSettled([
        own(started("first", "r/k", { run_id: "s" })),
        own(started("second", "r/k", { run_id: "s" })),
        own(started("first", "r/k", { id: "retry", run_id: "s" })),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(outcomes[1]).toMatchObject({ reason: { code: "conflict", index: 0 } });
    });
  });
}
