import { describe, expect, test } from "vitest";
import type { Json } from "../../../lib/session/json/json.ts";
import type { AgentStateChange, NewEvent } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent } from "../subject.ts";
import { run } from "./asking.ts";

/** The contract of `Log.appendOwn` with a change of agent state (E5). */
export function changesContract(make: MakeSubject): void {
  describe("Changes of agent state with a step", () => {
    const subject = eachTime(make);
    const place = { agentId: "memory:alice", key: "memory", actor: "agent:crm" };
    const step = (events: NewEvent[], apply: AgentStateChange["apply"]) =>
      subject().storage.log.appendOwn(events, { ...place, apply });
    const get = () => subject().storage.agentStates.get(place.agentId, place.key);
    const put = (value: Json) =>
      subject().storage.log.putAgentState({ ...place, value, expect: { kind: "any" }, actor: "operator:anna" });
    const told = (id: string) => newEvent({ id, type: "memory.updated", run_id: "r", payload: { delta: [] } });
    const everything = () => subject().storage.events.since(0, { limit: 99 });

    test("E5: a step, its memory event and the memory are written together, each caused by the previous one", async () => {
      const outcome = await step([run("r")], (current) => {
        expect(current).toBeNull();
        return { events: [told("u")], value: { goals: ["one"] } };
      });
      expect(outcome).toEqual({
        appended: [{ id: "r", conversation_id: "c", seq: 1, position: 1, duplicate: false }],
        change: { events: [told("u")], version: 1 },
      });
      expect(await get()).toMatchObject({ value: { goals: ["one"] }, version: 1 });
      expect(await everything()).toMatchObject([
        { id: "r", seq: 1 },
        { id: "u", seq: 2 },
        {
          type: "agent_state.written",
          conversation_id: null,
          actor: "agent:crm",
          agent_id: "memory:alice",
          caused_by: "u",
          payload: { agent_id: "memory:alice", key: "memory", value: { goals: ["one"] }, version: 1 },
        },
      ]);
      expect(subject().commits).toEqual([3]);
    });

    test("E5: a change without events is caused by the step's last event", async () => {
      await step([run("r"), newEvent({ id: "last", run_id: "r" })], () => ({ events: [], value: 1 }));
      expect((await everything()).at(-1)).toMatchObject({ type: "agent_state.written", caused_by: "last" });
      await step([], () => ({ events: [], value: 2 }));
      expect((await everything()).at(-1)).toMatchObject({ type: "agent_state.written", caused_by: null });
    });

    test("E3: concurrent changes see each other, and versions increase by one", async () => {
      await put({ count: 0 });
      await subject().storage.log.appendOwn([run("r")]);
      const counted = (current: { value: Json; version: number } | null) => {
        if (!current) throw new Error("The entry is there");
        return { events: [], value: { count: countOf(current.value) + 1, was: current.version } };
      };
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) => step([newEvent({ id: `s${index}`, run_id: "r" })], counted)),
      );
      expect(outcomes.map(({ change }) => change?.version)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 2),
      );
      expect(await get()).toMatchObject({ value: { count: 20, was: 20 }, version: 21 });
    });

    test("E12: a change of a deleted entry finds nothing, and continues its versions", async () => {
      await put(1);
      await subject().storage.log.deleteAgentState({ ...place, expect: { kind: "any" } });
      const { change } = await step([run("r")], (current) => {
        expect(current).toBeNull();
        return { events: [], value: 2 };
      });
      expect(change).toMatchObject({ version: 3 });
      expect(await get()).toMatchObject({ value: 2, version: 3 });
    });

    test("E5: a change of null does not affect the step; one without a value does not affect the entry", async () => {
      await put(1);
      expect(await step([run("r")], () => null)).toMatchObject({ appended: [{ id: "r" }], change: null });
      const { change } = await step([], () => ({ events: [told("u")], value: undefined }));
      expect(change).toEqual({ events: [told("u")], version: 1 });
      expect(await get()).toMatchObject({ value: 1, version: 1 });
      expect((await everything()).map(({ type }) => type)).toEqual([
        "agent_state.written",
        "run.started",
        "memory.updated",
      ]);
      expect((await step([], () => ({ events: [], value: null }))).change?.version).toBe(2);
      expect(await get()).toMatchObject({ value: null, version: 2 });
    });

    test("E5: an exception in a change rolls back its step, but not others", async () => {
      await put(1);
      const outcomes = await Promise.allSettled([
        step([run("before")], () => ({ events: [], value: 2 })),
        step([run("broken")], () => {
          throw new Error("The document cannot be read");
        }),
        step([run("taken")], () => ({ events: [newEvent({ id: "before", conversation_id: "other" })], value: 9 })),
        step([run("after")], (current) => ({ events: [], value: countOf(current?.value ?? null) + 1 })),
      ]);
      expect(outcomes).toMatchObject([
        { status: "fulfilled" },
        { status: "rejected", reason: { message: "The document cannot be read" } },
        { status: "rejected", reason: { code: "conflict", index: null } },
        { status: "fulfilled" },
      ]);
      expect(await get()).toMatchObject({ value: 3, version: 3 });
      const { runs } = subject().storage;
      expect((await runs.open()).map(({ run_id }) => run_id)).toEqual(["before", "after"]);
      expect(await runs.find("broken")).toBeNull();
      expect(await subject().storage.conversations.get("other")).toBeNull();
    });

    test("E2: a repeated step, after a lost response, changes nothing again", async () => {
      const more = () => step([run("r")], (current) => ({ events: [], value: countOf(current?.value ?? 0) + 1 }));
      await more();
      expect(await more()).toMatchObject({ appended: [{ id: "r", duplicate: true }], change: null });
      expect(await get()).toMatchObject({ value: 1, version: 1 });
    });

    test("P22a: events of a change belong to the engine's run, and are read with it", async () => {
      await step([run("r")], () => ({ events: [told("u")], value: 1 }));
      expect((await subject().storage.runs.events("r")).map(({ id }) => id)).toEqual(["r", "u"]);
    });

    test("E5: changes survive reopening", async () => {
      await step([run("r")], () => ({ events: [told("u")], value: { goals: [] } }));
      const before = await get();
      await subject().reopen();
      expect(await get()).toEqual(before);
    });
  });
}

/** The number in `count`, or the value itself. */
function countOf(value: Json): number {
  const count = value !== null && typeof value === "object" && !Array.isArray(value) ? value.count : value;
  if (typeof count !== "number") throw new Error("A count is a number");
  return count;
}
