import { describe, expect, test } from "vitest";
import type { ErasureKind } from "../erasures.ts";
import type { Storage } from "../storage.ts";
import { KEPT_SUITE_RUNS, type NewSuiteCase, type NewSuiteRun, type SuiteTryRow } from "../suites.ts";
import { eachTime, type MakeSubject, newEvent, newEvents } from "./subject.ts";

const ANNA = "operator:anna";
const mostOf = (cases: number) => ({ epoch: 0, suites: 9, cases });
const NEVER = new AbortController().signal;

function saved(id: string, more: Partial<NewSuiteCase> = {}): NewSuiteCase {
  const content = JSON.stringify({ id, turns: [{ message: "Возврат \u0001" }] });
  return {
    id,
    title: `Case ${id}`,
    tags: ["money"],
    conversation_id: "c",
    calls: 3,
    content,
    tools: [],
    users: [],
    ...more,
  };
}

function runOf(id: string, more: Partial<NewSuiteRun> = {}): NewSuiteRun {
  return {
    ...{ id, suite: "refunds", agent_id: "support", version: "v1", model: "m", rule: "stop", tries: 3 },
    ...{ cases: ["a"], total: 3, started_by: ANNA, ...more },
  };
}

function tried(number: number, case_id = "a"): SuiteTryRow & { result: string } {
  return { case_id, number, outcome: "passed", brief: `[${number}]`, result: `{"step":${number}}` };
}

const ERASURE = "e";

async function erase(storage: Storage, target: string, kind: ErasureKind = "conversation"): Promise<void> {
  await begunErasure(storage, target, kind);
  await endErasure(storage);
}

/** Closes the conversation. */
async function begunErasure({ erasures }: Storage, target: string, kind: ErasureKind = "conversation"): Promise<void> {
  await erasures.add({
    ...{ id: ERASURE, kind, target, receipt: "r", reason: null, requested_by: ANNA },
  });
  expect(await erasures.find(ERASURE)).toBe("found");
  await erasures.close(ERASURE);
}

async function endErasure({ erasures }: Storage): Promise<void> {
  await erasures.erase(ERASURE);
  await erasures.forget(ERASURE);
  await erasures.compact(NEVER);
}

/** The contract of `SuiteStore`. */
export function suitesContract(make: MakeSubject): void {
  describe("Suites", () => {
    const subject = eachTime(make);
    const store = () => subject().storage.suites;

    test("are made once, listed by name with their newest run, and removed with everything", async () => {
      expect(await store().create("tone", ANNA, 9)).toBe("created");
      expect(await store().create("tone", "operator:boris", 9)).toBe("exists");
      await store().addCase("refunds", saved("a"), ANNA, mostOf(10));
      await store().addRun(runOf("1"), "w");
      await store().addRun(runOf("2"), "w");
      await store().startRun("2", "w");
      await store().addCase("refunds", saved("b"), ANNA, mostOf(10));
      for (const one of [tried(1), { ...tried(2), outcome: "failed" as const }, tried(1, "b"), tried(2, "b")])
        await store().addTry("2", "w", one);
      expect(await store().list()).toMatchObject([
        { name: "refunds", cases: 2, created_by: ANNA, run: { id: "2", status: "running" }, tried: 2, passed: 1 },
        { name: "tone", cases: 0, run: null, tried: 0, passed: 0 },
      ]);
      await subject().reopen();
      expect(await store().remove("refunds")).toBe(true);
      expect(await store().remove("refunds")).toBe(false);
      expect([await store().has("refunds"), await store().has("tone")]).toEqual([false, true]);
      expect([await store().cases("refunds"), await store().runs("refunds", 9), await store().run("1")]).toEqual([
        [],
        [],
        null,
      ]);
    });

    test("are as many as there may be, also where cases make them", async () => {
      const most = { epoch: 0, suites: 2, cases: 9 };
      expect(await store().addCase("refunds", saved("a"), ANNA, most)).toBe("added");
      expect(await store().create("tone", ANNA, 2)).toBe("created");
      expect(await store().create("more", ANNA, 2)).toBe("full");
      expect(await store().create("tone", ANNA, 2)).toBe("exists");
      expect(await store().addCase("more", saved("a"), ANNA, most)).toBe("too_many_suites");
      expect(await store().addCase("tone", saved("a"), ANNA, most)).toBe("added");
      expect([(await store().list()).length, await store().cases("more")]).toEqual([2, []]);
    });

    test("keep cases as they were saved, in order, up to their limit", async () => {
      expect(await store().addCase("refunds", saved("a"), ANNA, mostOf(2))).toBe("added");
      expect(await store().addCase("refunds", saved("a", { title: "Other" }), ANNA, mostOf(2))).toBe("exists");
      expect(await store().addCase("refunds", saved("b", { tools: [{ name: "t" }] }), ANNA, mostOf(2))).toBe("added");
      expect(await store().addCase("refunds", saved("d"), ANNA, mostOf(2))).toBe("full");
      await subject().reopen();
      expect(await store().cases("refunds")).toMatchObject([
        { id: "a", title: "Case a", tags: ["money"], conversation_id: "c", calls: 3, created_by: ANNA },
        { id: "b" },
      ]);
      expect(await store().content("refunds", "b")).toBe(saved("b").content);
      expect(await store().tools("refunds")).toEqual(["[]", '[{"name":"t"}]']);
      expect([await store().content("refunds", "x"), await store().content("tone", "a")]).toEqual([null, null]);
      expect(await store().tools("tone")).toEqual([]);
    });

    test("change and remove cases, with what came of them", async () => {
      await store().addCase("refunds", saved("a"), ANNA, mostOf(2));
      const before = saved("a").content;
      const other = { ...saved("a"), title: "Other", content: '{"new":true}' };
      expect(await store().changeCase("refunds", other, before)).toBe(true);
      expect(await store().changeCase("refunds", saved("x"), before)).toBe(false);
      expect(await store().cases("refunds")).toMatchObject([{ title: "Other" }]);
      expect(await store().content("refunds", "a")).toBe('{"new":true}');
      await store().addRun(runOf("1"), "w");
      await store().startRun("1", "w");
      await store().addTry("1", "w", tried(1));
      expect(await store().removeCase("refunds", "a")).toBe(true);
      expect(await store().removeCase("refunds", "a")).toBe(false);
      expect(await store().tries("1")).toEqual([]);
    });

    test("of two changes of what both have read, the second is not made", async () => {
      await store().addCase("refunds", saved("a"), ANNA, mostOf(2));
      const before = (await store().content("refunds", "a")) ?? "";
      const changes = ["Other", "Another"].map((title) => ({
        ...saved("a"),
        title,
        content: JSON.stringify({ title }),
      }));
      const made = await Promise.all(changes.map((change) => store().changeCase("refunds", change, before)));
      expect(made.toSorted()).toEqual([false, true]);
      const title = changes[made.indexOf(true)]?.title;
      expect(await store().cases("refunds")).toMatchObject([{ title }]);
      expect(await store().content("refunds", "a")).toBe(JSON.stringify({ title }));
    });

    test("A run belongs to its worker, and keeps each try", async () => {
      await store().addCase("refunds", saved("a"), ANNA, mostOf(9));
      await store().addRun(runOf("1"), "w");
      expect([await store().startRun("1", "other"), await store().startRun("1", "w")]).toEqual([false, true]);
      expect([await store().seeRun("1", "other"), await store().seeRun("1", "w")]).toEqual([false, true]);
      expect(await store().addTry("1", "other", tried(1))).toBe(false);
      expect(await store().addTry("1", "w", tried(2))).toBe(true);
      expect(await store().addTry("1", "w", tried(1))).toBe(true);
      expect(await store().run("1")).toMatchObject({ ...runOf("1"), status: "running", done: 2, finished_at: null });
      expect(await store().endRun("1", "finished", null)).toBe(true);
      expect(await store().endRun("1", "cancelled", null)).toBe(false);
      await subject().reopen();
      expect(await store().run("1")).toMatchObject({ status: "finished", finished_at: expect.any(String) });
      expect(await store().tries("1")).toEqual([
        { case_id: "a", number: 1, outcome: "passed", brief: "[1]" },
        { case_id: "a", number: 2, outcome: "passed", brief: "[2]" },
      ]);
      expect([await store().result("1", "a", 1), await store().result("1", "a", 2)]).toEqual([
        '{"step":1}',
        '{"step":2}',
      ]);
      expect([await store().result("1", "a", 3), await store().result("1", "b", 1)]).toEqual([null, null]);
    });

    test("A cancelled run takes no more tries, and says so to its worker", async () => {
      await store().addCase("refunds", saved("a"), ANNA, mostOf(9));
      await store().addRun(runOf("1"), "w");
      await store().startRun("1", "w");
      expect(await store().endRun("1", "cancelled", null)).toBe(true);
      expect([await store().addTry("1", "w", tried(1)), await store().seeRun("1", "w")]).toEqual([false, false]);
      expect(await store().startRun("1", "w")).toBe(false);
      expect([await store().run("1"), await store().tries("1")]).toMatchObject([{ status: "cancelled", done: 0 }, []]);
    });

    test("Runs of workers that are gone are interrupted, and no others", async () => {
      await store().addCase("refunds", saved("a"), ANNA, mostOf(9));
      for (const [id, worker] of [
        ["1", "gone"],
        ["2", "gone"],
        ["3", "here"],
      ] as const)
        await store().addRun(runOf(id), worker);
      await store().startRun("1", "gone");
      await store().endRun("2", "failed", "No model");
      expect(await store().interruptRuns("here", 60_000)).toBe(0);
      expect(await store().interruptRuns("here", 0)).toBe(1);
      expect((await store().runs("refunds", 9)).map(({ id, status, error }) => [id, status, error])).toEqual([
        ["3", "queued", null],
        ["2", "failed", "No model"],
        ["1", "interrupted", null],
      ]);
      expect(await store().seeRun("1", "gone")).toBe(false);
    });

    test("The oldest runs are forgotten with their tries", async () => {
      const name = (index: number) => String(index).padStart(4, "0");
      await store().addCase("refunds", saved("a"), ANNA, mostOf(9));
      for (let index = 0; index <= KEPT_SUITE_RUNS; index += 1) {
        await store().addRun(runOf(name(index)), "w");
        await store().startRun(name(index), "w");
        await store().addTry(name(index), "w", tried(1));
        await store().endRun(name(index), "finished", null);
      }
      const kept = await store().runs("refunds", 100);
      expect([kept.length, kept.at(-1)?.id]).toEqual([KEPT_SUITE_RUNS, name(1)]);
      expect([await store().tries(name(0)), (await store().tries(name(1))).length]).toEqual([[], 1]);
    });

    test("Versions of agents are kept by their content, and who was given which", async () => {
      const version = { agent_id: "support", version: "v1", definition: { instructions: "Help" }, created_by: ANNA };
      await store().addVersion(version);
      await store().addVersion({ ...version, created_by: "operator:boris" });
      const promotion = { agent_id: "support", version: "v1", before: "v0", run_id: "1", promoted_by: ANNA };
      await store().addPromotion({ ...promotion, id: "1" });
      await store().addPromotion({ ...promotion, id: "2", run_id: null });
      await subject().reopen();
      expect(await store().version("support", "v1")).toMatchObject(version);
      expect(await store().version("billing", "v1")).toBeNull();
      expect(await store().promotions("support", 9)).toMatchObject([
        { ...promotion, id: "2", run_id: null },
        { ...promotion, id: "1", promoted_at: expect.any(String) },
      ]);
      expect(await store().promotions("support", 1)).toHaveLength(1);
    });

    test("Versions that no run has and no agent was given are forgotten", async () => {
      await store().addCase("refunds", saved("a"), ANNA, mostOf(9));
      await store().addRun(runOf("1", { version: "ran" }), "w");
      await store().addRun(runOf("2", { version: "unused", agent_id: "billing" }), "w");
      const promotion = { id: "1", agent_id: "support", version: "given", before: "before", run_id: null };
      await store().addPromotion({ ...promotion, promoted_by: ANNA });
      const all = ["ran", "unused", "given", "before"];
      for (const version of all)
        await store().addVersion({ agent_id: "support", version, definition: {}, created_by: ANNA });
      const kept = async () => {
        const found = await Promise.all(all.map((version) => store().version("support", version)));
        return found.flatMap((one) => (one ? [one.version] : []));
      };
      await store().forgetVersions(60_000);
      expect(await kept()).toEqual(all);
      await store().forgetVersions(0);
      expect(await kept()).toEqual(["ran", "given", "before"]);
    });

    test("stay when retention removes the conversation, and can be erased after it", async () => {
      const { storage } = subject();
      const long_ago = "2020-01-01T00:00:00.000Z";
      await storage.log.append([
        newEvent({ id: "c-1", conversation_id: "c", type: "conversation.created", payload: {}, occurred_at: long_ago }),
      ]);
      await storage.suites.addCase("refunds", saved("c:0", { content: '{"words":"kanarienvogel"}' }), ANNA, mostOf(9));
      const due = await storage.retention.next([{ channel: null, days: 1 }], Date.now(), 10);
      expect(await storage.retention.remove(due)).toMatchObject({ conversations: 1 });
      expect((await storage.suites.cases("refunds")).map((one) => one.id)).toEqual(["c:0"]);
      expect([await storage.suites.hasCaseOf("c"), await storage.suites.hasCaseOf("d")]).toEqual([true, false]);
      await erase(storage, "c");
      expect(await storage.suites.cases("refunds")).toEqual([]);
      expect(await subject().filesWith("kanarienvogel")).toEqual([]);
    });

    test("are erased with a user whose conversation only the case has left", async () => {
      const { storage } = subject();
      await storage.suites.addCase("refunds", saved("a", { users: ["ann", 'jo "7" é'] }), ANNA, mostOf(9));
      await storage.suites.addCase(
        "refunds",
        saved("b", { users: ["jo", "jo \\"], conversation_id: "d" }),
        ANNA,
        mostOf(9),
      );
      await storage.suites.addCase("refunds", saved("c", { users: [], conversation_id: "e" }), ANNA, mostOf(9));
      const left = async () => (await storage.suites.cases("refunds")).map(({ id }) => id);
      await erase(storage, 'jo "7" é', "user");
      expect(await left()).toEqual(["b", "c"]);
    });

    test("begin no run with cases that were removed meanwhile", async () => {
      await store().addCase("refunds", saved("a"), ANNA, mostOf(9));
      await store().addCase("tone", saved("b"), ANNA, mostOf(9));
      expect(await store().addRun(runOf("1", { cases: ["a", "b"] }), "w")).toBe(false);
      expect(await store().runs("refunds", 9)).toEqual([]);
      expect(await store().addRun(runOf("1"), "w")).toBe(true);
      expect(await store().run("1")).toMatchObject({ status: "queued", cases: ["a"] });
    });

    test("are not added of a conversation that is being erased, or was since it was read", async () => {
      const { storage } = subject();
      const add = (id: string, epoch: number, conversation_id = "c") => {
        const one = saved(id, { conversation_id, content: '{"words":"kanarienvogel"}' });
        return storage.suites.addCase("refunds", one, ANNA, { ...mostOf(9), epoch });
      };
      await storage.log.append([...newEvents("c", 1), ...newEvents("d", 1)]);
      const before = await storage.suites.epoch();
      await begunErasure(storage, "c");
      expect(await add("a", before)).toBe("erased");
      // Read when a part of it was erased.
      expect(await add("a", await storage.suites.epoch())).toBe("erased");
      await endErasure(storage);
      expect(await add("a", before)).toBe("erased");
      expect(await storage.suites.cases("refunds")).toEqual([]);
      expect(await subject().filesWith("kanarienvogel")).toEqual([]);
      expect(await add("a", await storage.suites.epoch())).toBe("added");
      expect(await add("d", await storage.suites.epoch(), "d")).toBe("added");
    });

    test("are not added of a conversation that was removed and erased since it was read", async () => {
      const { storage } = subject();
      const epoch = await storage.suites.epoch();
      await erase(storage, "gone");
      const one = saved("a", { conversation_id: "gone" });
      expect(await storage.suites.addCase("refunds", one, ANNA, { ...mostOf(9), epoch })).toBe("erased");
    });

    test("that are added while their conversation is erased are not left", async () => {
      const { storage } = subject();
      await storage.log.append(newEvents("c", 1));
      const epoch = await storage.suites.epoch();
      const added = Array.from({ length: 20 }, (_, n) =>
        storage.suites.addCase("refunds", saved(`c:${n}`), ANNA, { ...mostOf(99), epoch }),
      );
      await erase(storage, "c");
      await Promise.all(added);
      expect(await storage.suites.cases("refunds")).toEqual([]);
    });

    test("An erased conversation is nowhere in suites", async () => {
      const { storage } = subject();
      await storage.log.append(newEvents("c", 1));
      await storage.suites.addCase("refunds", saved("a", { content: '{"words":"kanarienvogel"}' }), ANNA, mostOf(9));
      await storage.suites.addCase("refunds", saved("b", { conversation_id: "d" }), ANNA, mostOf(9));
      await storage.suites.addCase("refunds", saved("c:3"), ANNA, mostOf(9));
      // Another session's, that is called as if it were one of this.
      await storage.suites.addCase("refunds", saved("c:3:4", { conversation_id: "c:3" }), ANNA, mostOf(9));
      await storage.suites.addRun(runOf("1", { cases: ["a", "b", "c:3", "c:3:4"] }), "w");
      await storage.suites.startRun("1", "w");
      await storage.suites.addTry("1", "w", { ...tried(1), result: '{"words":"kanarienvogel"}' });
      await storage.suites.addTry("1", "w", tried(1, "b"));
      await storage.suites.removeCase("refunds", "c:3");
      // It was under way when its case was removed.
      await storage.suites.addTry("1", "w", { ...tried(1, "c:3"), result: '{"words":"kanarienvogel"}' });
      await erase(storage, "c");
      // The same of one that is under way while its case is erased.
      await storage.suites.addTry("1", "w", { ...tried(2), result: '{"words":"kanarienvogel"}' });
      expect((await storage.suites.run("1"))?.cases).toEqual(["b", "c:3:4"]);
      expect((await storage.suites.cases("refunds")).map((one) => one.id)).toEqual(["b", "c:3:4"]);
      expect((await storage.suites.tries("1")).map(({ case_id }) => case_id)).toEqual(["b"]);
      expect(await subject().filesWith("kanarienvogel")).toEqual([]);
    });
  });
}
