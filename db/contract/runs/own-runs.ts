import { describe, expect, test } from "vitest";
import { Conflict } from "../../errors.ts";
import type { NewEvent } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent, newEvents } from "../subject.ts";
import { run } from "./asking.ts";

/** The contract of `Log.appendOwn` and `Runs`: own runs are found, and only the engine writes them. */
export function ownRunsContract(make: MakeSubject): void {
  describe("Runs", () => {
    const subject = eachTime(make);
    const own = (...events: NewEvent[]) => subject().storage.log.appendOwn(events);
    const outside = (...events: NewEvent[]) => subject().storage.log.append(events);
    const ids = (events: { id: string }[]) => events.map(({ id }) => id);

    test("P22a: an external event of an own run is a conflict with its index, and the batch is rolled back", async () => {
      await own(run("r"), run("child", { parent_run_id: "r" }));
      const { events, conversations } = subject().storage;
      const attempts: Partial<NewEvent>[] = [
        { run_id: "r" },
        { run_id: "child" },
        { run_id: "elsewhere", parent_run_id: "r" },
        { run_id: "r", conversation_id: "other" },
        { run_id: "r", type: "confirmation.approved", payload: { confirmation_id: "k" } },
      ];
      for (const attempt of attempts) {
        const batch = outside(...newEvents("fresh", 2), newEvent({ id: "forged", ...attempt }));
        await expect(batch).rejects.toBeInstanceOf(Conflict);
        await expect(batch).rejects.toMatchObject({
          index: 2,
          message: expect.stringContaining("belongs to this server"),
        });
      }
      expect(await events.head()).toBe(2);
      expect(await conversations.get("fresh")).toBeNull();
    });

    test("P22a: a run is own from its start, also for events written with it", async () => {
      const outcomes = await Promise.allSettled([
        outside(newEvent({ id: "before", run_id: "r" })),
        own(run("r")),
        outside(newEvent({ id: "after", run_id: "r" })),
        own(newEvent({ id: "mine", run_id: "r" })),
        outside(newEvent({ id: "neighbour", run_id: "s" })),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual([
        "fulfilled",
        "fulfilled",
        "rejected",
        "fulfilled",
        "fulfilled",
      ]);
    });

    test("P22a: a run whose start was refused does not exist", async () => {
      await outside(newEvent({ id: "taken", conversation_id: "other" }));
      const outcomes = await Promise.allSettled([
        own(run("r"), newEvent({ id: "taken" })),
        outside(newEvent({ id: "mine", run_id: "r" })),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
      expect(await subject().storage.runs.find("r")).toBeNull();
    });

    test("P22a: own events that are sent again by others are duplicates and change nothing", async () => {
      await own(run("r"), newEvent({ id: "e", run_id: "r", payload: 1 }));
      expect(await outside(run("r"), newEvent({ id: "e", run_id: "r", payload: 2 }))).toMatchObject([
        { seq: 1, duplicate: true },
        { seq: 2, duplicate: true },
      ]);
      expect(await subject().storage.events.list("c", { after: 1, limit: 9 })).toMatchObject([{ id: "e", payload: 1 }]);
    });

    test("P22a: an import cannot write an own run; imported runs are history", async () => {
      const { log, runs, events } = subject().storage;
      const never = new AbortController().signal;
      await own(run("r"));
      const importing = (...batch: NewEvent[]) =>
        log.importConversations(parts("imported", [...newEvents("imported", 2), ...batch]), never);
      await expect(importing(newEvent({ id: "forged", conversation_id: "imported", run_id: "r" }))).rejects.toThrow(
        Conflict,
      );
      expect(await events.head()).toBe(1);
      await importing(run("recorded", { conversation_id: "imported" }));
      expect(await runs.find("recorded")).toBeNull();
      expect(await runs.events("recorded")).toEqual([]);
      expect(await runs.open()).toMatchObject([{ run_id: "r" }]);
      // The conversation exists already, so its stream is not read.
      const again = log.importConversations(parts("c", [run("r")]), never);
      expect(await again).toEqual([{ conversation_id: "c", created: false, events: 0 }]);
    });

    test("P23: a run is read with the events of all its delegates' runs, in order", async () => {
      await own(run("r"), run("child", { parent_run_id: "r" }), newEvent({ id: "1", run_id: "r" }));
      await outside(newEvent({ id: "posted" }), run("foreign"));
      await own(
        run("grandchild", { parent_run_id: "child" }),
        newEvent({ id: "2", run_id: "child" }),
        run("other"),
        newEvent({ id: "3", run_id: "grandchild" }),
        newEvent({ id: "4", run_id: "r" }),
      );
      const { runs, events } = subject().storage;
      expect(ids(await runs.events("r"))).toEqual(["r", "child", "1", "grandchild", "2", "3", "4"]);
      expect(ids(await runs.events("child"))).toEqual(["child", "grandchild", "2", "3"]);
      expect(await runs.events("foreign")).toEqual([]);
      expect(await runs.events("unknown")).toEqual([]);
      expect(await runs.events("other")).toEqual(
        (await events.since(0, { limit: 99 })).filter(({ id }) => id === "other"),
      );
      expect(await runs.find("child")).toEqual({ run_id: "child", conversation_id: "c", parent_run_id: "r" });
      expect(await runs.find("foreign")).toBeNull();
    });

    test("P23: a long run is read whole, with runs below it in between, with all that it had when it was asked for", async () => {
      const expected: string[] = [];
      for (let batch = 0; batch < 4; batch += 1) {
        const events = Array.from({ length: 700 }, (_, index) =>
          newEvent({ id: `${batch}/${index}`, run_id: index % 3 === 0 ? "child" : "r" }),
        );
        if (batch === 0) events.unshift(run("r"), run("child", { parent_run_id: "r" }));
        await own(...events);
        expected.push(...ids(events));
      }
      const reading = subject().storage.runs.events("r");
      await own(newEvent({ id: "meanwhile", run_id: "child" }));
      expect(ids(await reading).slice(0, expected.length)).toEqual(expected);
    });

    test.each(["live", "reopened"])(
      "P23: open runs are the own top-level ones that have not ended, oldest first (%s)",
      async (state) => {
        const ended = (runId: string, type: string, more: Partial<NewEvent> = {}) =>
          newEvent({ id: `${runId} ${type}`, type, run_id: runId, payload: {}, ...more });
        await own(run("waits"), ended("waits", "run.waiting"), run("below", { parent_run_id: "waits" }));
        await own(run("escalated", { conversation_id: "d" }));
        await outside(
          newEvent({ id: "alert", conversation_id: "d", type: "manager.alerted", payload: { text: "help" } }),
          run("foreign", { conversation_id: "d" }),
          run("unfinished", { conversation_id: "e" }),
        );
        for (const type of ["run.finished", "run.failed", "run.cancelled"])
          await own(run(type, { conversation_id: type }), ended(type, type, { conversation_id: type }));
        await own(run("runs"));
        await own(
          run("again", { conversation_id: "f" }),
          ended("again", "run.failed", { conversation_id: "f" }),
          ended("again", "run.resumed", { conversation_id: "f" }),
        );
        if (state === "reopened") await subject().reopen();
        expect(await subject().storage.runs.open()).toEqual([
          { run_id: "waits", conversation_id: "c", parent_run_id: null },
          { run_id: "escalated", conversation_id: "d", parent_run_id: null },
          { run_id: "runs", conversation_id: "c", parent_run_id: null },
          { run_id: "again", conversation_id: "f", parent_run_id: null },
        ]);
      },
    );
  });
}

async function* parts(conversationId: string, events: NewEvent[]) {
  yield { conversation_id: conversationId, events };
}
