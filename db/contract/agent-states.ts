import { describe, expect, test } from "vitest";
import { BadCursor, Stale } from "../errors.ts";
import type { Expectation } from "../repositories.ts";
import { eachTime, type MakeSubject, newEvent } from "./subject.ts";

/** The contract of `AgentStates` and of the log's methods that write agent state. */
export function agentStatesContract(make: MakeSubject): void {
  describe("AgentStates", () => {
    const subject = eachTime(make);
    const entry = { agentId: "admin", key: "memory", actor: "user:alice" };
    const put = (value: number | null, expectation: Expectation = { kind: "any" }) =>
      subject().storage.log.putAgentState({ ...entry, value, expect: expectation });
    const remove = (expectation: Expectation = { kind: "any" }) =>
      subject().storage.log.deleteAgentState({ ...entry, expect: expectation });
    const get = () => subject().storage.agentStates.get("admin", "memory");

    test("E3: a written value is read, and its version increases", async () => {
      expect(await get()).toBeNull();
      expect(await put(1)).toMatchObject({ agent_id: "admin", key: "memory", version: 1, created: true });
      const { created, text, ...second } = await put(2);
      expect({ created, text }).toEqual({ created: false, text: "2" });
      expect(await get()).toEqual({ ...second, version: 2, value: 2 });
      await put(null);
      expect(await get()).toMatchObject({ value: null, version: 3 });
    });

    test("E2: a write is an event outside of conversations, so the log has all writes", async () => {
      await put(1);
      await remove();
      const events = await subject().storage.events.since(0, { limit: 10 });
      expect(
        events.map(({ type, conversation_id, seq, actor, payload }) => ({
          type,
          conversation_id,
          seq,
          actor,
          payload,
        })),
      ).toEqual([
        {
          type: "agent_state.written",
          conversation_id: null,
          seq: 0,
          actor: "user:alice",
          payload: { agent_id: "admin", key: "memory", value: 1, version: 1 },
        },
        {
          type: "agent_state.deleted",
          conversation_id: null,
          seq: 0,
          actor: "user:alice",
          payload: { agent_id: "admin", key: "memory", version: 2 },
        },
      ]);
      expect(subject().commits).toEqual([1, 2]);
    });

    test.each<[Expectation, boolean, boolean]>([
      [{ kind: "any" }, true, true],
      [{ kind: "absent" }, true, false],
      [{ kind: "present" }, false, true],
      [{ kind: "version", versions: [1, 7] }, false, true],
      [{ kind: "version", versions: [2] }, false, false],
      [{ kind: "version", versions: [] }, false, false],
    ])("E12: %j holds when nothing is there: %s, at version 1: %s", async (expectation, whenAbsent, atVersion1) => {
      const { log } = subject().storage;
      const absent = log.putAgentState({ ...entry, key: "absent", value: 9, expect: expectation });
      if (whenAbsent) await expect(absent).resolves.toMatchObject({ version: 1 });
      else await expect(absent).rejects.toMatchObject({ code: "stale", version: 0 });
      await put(1);
      if (atVersion1) await expect(put(9, expectation)).resolves.toMatchObject({ version: 2 });
      else await expect(put(9, expectation)).rejects.toMatchObject({ code: "stale", version: 1 });
      expect(await get()).toMatchObject(atVersion1 ? { value: 9, version: 2 } : { value: 1, version: 1 });
    });

    test("E12: of two writers with the same expected version, one gets a conflict and loses nothing", async () => {
      await put(1);
      const outcomes = await Promise.allSettled([
        put(2, { kind: "version", versions: [1] }),
        put(3, { kind: "version", versions: [1] }),
      ]);
      expect(outcomes).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { version: 2 } }]);
      expect(await get()).toMatchObject({ value: 2 });
      expect(await subject().storage.events.head()).toBe(2);
    });

    test("E12: a deleted value is gone, and its versions are never reused", async () => {
      await put(1);
      expect(await remove()).toMatchObject({ version: 2 });
      expect(await get()).toBeNull();
      expect(await remove()).toBeNull();
      expect((await subject().storage.agentStates.list({ limit: 10 })).items).toEqual([]);
      await expect(put(2, { kind: "version", versions: [1] })).rejects.toBeInstanceOf(Stale);
      expect(await put(2, { kind: "absent" })).toMatchObject({ version: 3, created: true });
      await expect(remove({ kind: "version", versions: [1] })).rejects.toBeInstanceOf(Stale);
    });

    test("E2: a posted event also writes state, unless its version is older", async () => {
      const write = (id: string, value: number, version?: number) =>
        newEvent({
          id,
          type: "agent_state.written",
          payload: { agent_id: "admin", key: "memory", value, ...(version ? { version } : {}) },
        });
      const { log } = subject().storage;
      await log.append([write("1", 1), write("2", 2)]);
      expect(await get()).toMatchObject({ value: 2, version: 2 });
      await log.append([write("3", 3, 2), write("4", 4, 1)]);
      expect(await get()).toMatchObject({ value: 2, version: 2 });
      await log.append([write("5", 5, 8)]);
      expect(await get()).toMatchObject({ value: 5, version: 8 });
      await log.append([
        newEvent({ id: "6", type: "agent_state.deleted", payload: { agent_id: "admin", key: "memory", version: 8 } }),
      ]);
      expect(await get()).toMatchObject({ value: 5 });
      await log.append([
        newEvent({ id: "7", type: "agent_state.deleted", payload: { agent_id: "admin", key: "memory" } }),
      ]);
      expect(await get()).toBeNull();
    });

    test("C8: the history of an entry has its versions, newest first, with author and cause", async () => {
      const { log, agentStates, events } = subject().storage;
      const history = async () => (await agentStates.history("admin", "memory", { limit: 9 })).items;
      expect(await history()).toEqual([]);
      await put(1);
      await log.appendOwn([newEvent({ id: "step", type: "run.started", run_id: "r", payload: {} })], {
        ...entry,
        actor: "agent:crm",
        apply: () => ({ events: [], value: [2] }),
      });
      await remove();
      await log.append([
        newEvent({
          id: "posted",
          conversation_id: "told",
          type: "agent_state.written",
          actor: "agent:outside",
          occurred_at: "2026-01-01T00:00:00.000Z",
          payload: { agent_id: "admin", key: "memory", value: { four: null }, version: 9 },
        }),
      ]);
      await log.putAgentState({ ...entry, key: "other", value: 0, expect: { kind: "any" } });
      const [first, , second, third] = (await events.since(0, { limit: 9 })).map(({ recorded_at }) => recorded_at);
      expect(await history()).toEqual([
        {
          version: 9,
          at: "2026-01-01T00:00:00.000Z",
          actor: "agent:outside",
          caused_by: null,
          conversation_id: "told",
          position: 5,
          deleted: false,
        },
        {
          version: 3,
          at: third,
          actor: "user:alice",
          caused_by: null,
          conversation_id: null,
          position: 4,
          deleted: true,
        },
        {
          version: 2,
          at: second,
          actor: "agent:crm",
          caused_by: "step",
          conversation_id: "c",
          position: 3,
          deleted: false,
        },
        {
          version: 1,
          at: first,
          actor: "user:alice",
          caused_by: null,
          conversation_id: null,
          position: 1,
          deleted: false,
        },
      ]);
      const values = await Promise.all([1, 2, 3, 9].map((version) => agentStates.version("admin", "memory", version)));
      expect(values.map((version) => version?.value)).toEqual([1, [2], undefined, { four: null }]);
      expect(values[3]).toMatchObject({ version: 9, actor: "agent:outside", deleted: false });
      expect(await agentStates.version("admin", "memory", 4)).toBeNull();
      expect(await agentStates.version("admin", "unknown", 1)).toBeNull();
    });

    test("C8: an event with an older version is not in the history", async () => {
      const posted = (id: string, version: number) =>
        newEvent({
          id,
          type: "agent_state.written",
          payload: { agent_id: "admin", key: "memory", value: id, version },
        });
      await subject().storage.log.append([posted("5", 5), posted("5 again", 5), posted("4", 4)]);
      const { agentStates } = subject().storage;
      expect((await agentStates.history("admin", "memory", { limit: 9 })).items).toMatchObject([{ version: 5 }]);
      expect((await agentStates.version("admin", "memory", 5))?.value).toBe("5");
    });

    test("C8: a history is paged in both directions and survives reopening", async () => {
      for (let value = 1; value <= 5; value += 1) await put(value);
      await subject().reopen();
      const { agentStates } = subject().storage;
      const page = (cursor?: string | null) =>
        agentStates.history("admin", "memory", { limit: 2, ...(cursor && { cursor }) });
      const first = await page();
      const second = await page(first.next);
      const third = await page(second.next);
      const versions = [first, second, third].map(({ items }) => items.map(({ version }) => version));
      expect(versions).toEqual([[5, 4], [3, 2], [1]]);
      expect([first.prev, third.next]).toEqual([null, null]);
      expect(await page(third.prev)).toEqual(second);
      await expect(page("x")).rejects.toBeInstanceOf(BadCursor);
    });

    test("E12: the list is paged in both directions, and filtered by agent and key prefix", async () => {
      const { log, agentStates } = subject().storage;
      for (const agentId of ["b", "a"])
        for (const key of ["user:2", "user:1", "100%", "user"])
          await log.putAgentState({ agentId, key, value: 0, expect: { kind: "any" }, actor: null });
      const names = (items: { agent_id: string; key: string }[]) =>
        items.map(({ agent_id, key }) => `${agent_id}/${key}`);
      const all = ["a/100%", "a/user", "a/user:1", "a/user:2", "b/100%", "b/user", "b/user:1", "b/user:2"];
      const first = await agentStates.list({ limit: 3 });
      const second = await agentStates.list({ limit: 3, cursor: first.next ?? "" });
      const third = await agentStates.list({ limit: 3, cursor: second.next ?? "" });
      expect([first, second, third].flatMap(({ items }) => names(items))).toEqual(all);
      expect([first.prev, third.next]).toEqual([null, null]);
      expect(await agentStates.list({ limit: 3, cursor: third.prev ?? "" })).toEqual(second);
      expect(names((await agentStates.list({ limit: 9, agentId: "b", prefix: "user:" })).items)).toEqual([
        "b/user:1",
        "b/user:2",
      ]);
      expect(names((await agentStates.list({ limit: 9, prefix: "100%" })).items)).toEqual(["a/100%", "b/100%"]);
      for (const agentId of ["user:", "user:x", "userx", "vuser:"])
        await log.putAgentState({ agentId, key: "user", value: 0, expect: { kind: "any" }, actor: null });
      expect(names((await agentStates.list({ limit: 9, agentPrefix: "user:" })).items)).toEqual([
        "user:/user",
        "user:x/user",
      ]);
      expect(names((await agentStates.list({ limit: 9, key: "user", agentId: "b" })).items)).toEqual(["b/user"]);
      await expect(agentStates.list({ limit: 9, cursor: "x" })).rejects.toBeInstanceOf(BadCursor);
    });
  });
}
