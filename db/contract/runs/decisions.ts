import { describe, expect, test } from "vitest";
import { eachTime, type MakeSubject } from "../subject.ts";
import { actionsOn, requested, run } from "./asking.ts";

/** The contract of `Log.decide`. */
export function decisionsContract(make: MakeSubject): void {
  describe("Decisions", () => {
    const subject = eachTime(make);
    const { own, outside, get, decide } = actionsOn(subject);

    test("M9: a decision is an event with actor, reason and cause", async () => {
      await outside(requested("k", { id: "asked", run_id: "r", payload: { call_id: "refund", iteration: 1 } }));
      const action = { method: "issueRefund", params: { amount: 30 } };
      const outcome = await decide("k", { reason: "less", action });
      expect(outcome).toMatchObject({
        counted: true,
        confirmation: { status: "approved", decided_by: "operator:anna", reason: "less", action, decided_seq: 2 },
      });
      expect(await get("k")).toEqual(outcome?.confirmation);
      const [event] = await subject().storage.events.list("c", { after: 1, limit: 9 });
      expect(event).toMatchObject({
        type: "confirmation.approved",
        actor: "operator:anna",
        run_id: "r",
        caused_by: "asked",
        payload: {
          confirmation_id: "k",
          key: "refund",
          call_id: "refund",
          iteration: 1,
          reason: "less",
          action,
          decided_by: "operator:anna",
        },
      });
      expect(await subject().storage.conversations.get("c")).toMatchObject({ status: "idle" });
    });

    test("M9: of two concurrent decisions one wins, and both get the result", async () => {
      await outside(requested("k"));
      const outcomes = await Promise.all([
        decide("k", { status: "denied", actor: "operator:anna" }),
        decide("k", { status: "approved", actor: "operator:boris" }),
      ]);
      const winner = outcomes.find((outcome) => outcome?.counted);
      expect(outcomes.map((outcome) => outcome?.counted).sort()).toEqual([false, true]);
      const { status, decided_by } = winner?.confirmation ?? {};
      expect([status, decided_by]).toBeOneOf([
        ["denied", "operator:anna"],
        ["approved", "operator:boris"],
      ]);
      for (const outcome of outcomes) expect(outcome?.confirmation).toMatchObject({ status, decided_by });
      expect(await subject().storage.events.head()).toBe(2);
    });

    test("M9: an unknown request cannot be decided, and nothing is written", async () => {
      expect(await decide("unknown")).toBeNull();
      expect(await subject().storage.events.head()).toBe(0);
    });

    test("P22a: the log decides no confirmation of the engine", async () => {
      await own(run("r"), requested("k", { run_id: "r" }));
      await expect(decide("k")).rejects.toThrow("engine");
      expect(await get("k")).toMatchObject({ status: "requested", own: true });
    });
  });
}
