import { describe, expect, test } from "vitest";
import type { NewEvent, RunHold } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent } from "../subject.ts";
import { run } from "./asking.ts";

/** The contract of `RunOwners`, and of `Log.appendOwn` with a hold. */
export function runOwnersContract(make: MakeSubject): void {
  describe("RunOwners", () => {
    const subject = eachTime(make);
    const owners = () => subject().storage.runOwners;
    const append = (hold: RunHold, ...events: NewEvent[]) => subject().storage.log.appendOwn(events, undefined, hold);
    const begin = (id: string, key = "user") => append({ run_id: id, fence: 0, key }, run(id));
    const taken = async (id: string) => {
      const hold = await owners().take(id);
      if (!hold) throw new Error(`There is no run ${id}`);
      return hold;
    };

    test("who was overtaken appends nothing, also in the same transaction", async () => {
      await begin("r");
      const first = await taken("r");
      await append(first, newEvent({ id: "1", run_id: "r" }));
      const outcomes = await Promise.allSettled([
        append(first, newEvent({ id: "2", run_id: "r" })),
        taken("r"),
        append(first, newEvent({ id: "3", run_id: "r" }), newEvent({ id: "4", run_id: "r" })),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
      const refused = { code: "not_held" };
      await expect(append(first, newEvent({ id: "5", run_id: "r" }))).rejects.toMatchObject(refused);
      // Neither by an append whose answer was lost, nor by an empty one.
      await expect(append(first, newEvent({ id: "2", run_id: "r" }))).rejects.toMatchObject(refused);
      await expect(append(first)).rejects.toMatchObject(refused);
      const events = await subject().storage.runs.events("r");
      expect(events.map(({ id }) => id)).toEqual([run("r").id, "1", "2"]);
    });

    test("a take-over raises the number, and survives the process", async () => {
      await begin("r");
      expect(await taken("r")).toEqual({ run_id: "r", key: "user", fence: 1 });
      await subject().reopen();
      expect(await taken("r")).toMatchObject({ fence: 2 });
    });

    test("a run begins once, also if two begin it at the same time", async () => {
      const again = { ...run("r"), id: "again" };
      const outcomes = await Promise.allSettled([
        begin("r"),
        append({ run_id: "r", fence: 0, key: "user" }, again),
        begin("r"),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(await subject().storage.runs.events("r")).toHaveLength(1);
    });

    test("the oldest run of a key that is not at rest is next", async () => {
      await begin("a");
      await begin("b");
      await begin("other", "another user");
      expect(await owners().next("user")).toBe("a");
      expect(await owners().rest(await taken("a"), 0)).toBe(true);
      expect(await owners().next("user")).toBe("b");
      expect(await owners().take("a", { ready: true })).toBeNull();
      expect(await owners().next("nobody")).toBeNull();
    });

    test("a run without a holder so far is taken with a key", async () => {
      await subject().storage.log.appendOwn([run("old")]);
      await begin("new");
      expect(await owners().unknown(["old", "new"])).toEqual(["old"]);
      expect(await owners().take("old")).toBeNull();
      expect(await owners().take("old", { key: "user" })).toMatchObject({ fence: 1 });
      expect(await owners().next("user")).toBe("old");
    });

    test("P22: a decision is recorded once, wakes the run, and a holder that does not know it may not rest", async () => {
      await begin("r");
      const hold = await taken("r");
      const payload = { confirmation_id: "k", key: "pay", action: { method: "pay", params: {} } };
      await append(hold, newEvent({ id: "asked", run_id: "r", type: "confirmation.requested", payload }));
      const decided = (id: string, type: "approved" | "denied") =>
        owners().decide(
          { ...newEvent({ id, run_id: "r" }), type: `confirmation.${type}`, payload: { confirmation_id: "k" } },
          "r",
        );
      expect(await Promise.all([decided("yes", "approved"), decided("no", "denied")])).toEqual([{ key: "user" }, null]);
      expect(await owners().rest(hold, 2)).toBe(false);
      expect(await owners().rest(hold, 3)).toBe(true);
      const ids = (await subject().storage.runs.events("r")).map(({ id }) => id);
      expect(ids).toEqual([run("r").id, "asked", "yes"]);
    });

    test("a decision about a run at rest makes it next", async () => {
      await begin("r");
      const hold = await taken("r");
      const payload = { confirmation_id: "k", key: "pay", action: { method: "pay", params: {} } };
      await append(hold, newEvent({ id: "asked", run_id: "r", type: "confirmation.requested", payload }));
      await owners().rest(hold, 0);
      const awaited = { run_id: "r", id: "k", key: "pay", action: { method: "pay", params: {} } };
      expect([await owners().awaited("user"), await owners().awaited("nobody")]).toEqual([[awaited], []]);
      expect([await owners().awaits("c", "other"), await owners().awaits("c", "r")]).toEqual([true, false]);
      const yes = { ...newEvent({ id: "yes", run_id: "r" }), type: "confirmation.approved" };
      await owners().decide({ ...yes, payload: { confirmation_id: "k" } }, "r");
      expect(await owners().next("user")).toBe("r");
      expect(await taken("r")).toMatchObject({ fence: 2 });
    });
  });
}
