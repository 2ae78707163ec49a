import { expect, test } from "vitest";
import { CANARY, everything, NEVER, USER } from "../../contract/log/erasures.ts";
import { newEvent, newEvents } from "../../contract/subject.ts";
import type { Storage } from "../../storage.ts";
import { openDatabase } from "../database.ts";
import { type PostgresSubject, postgresSubject } from "../testing/subject.ts";

async function withTwo(work: (one: PostgresSubject, other: Storage) => Promise<void>): Promise<void> {
  const subject = await postgresSubject();
  const other = await subject.openReplica();
  try {
    await work(subject, other);
  } finally {
    await other.close();
    await subject.dispose();
  }
}

const asked = { kind: "user", target: USER, reason: null, receipt: "r", requested_by: "operator:anna" } as const;
const late = newEvent({ id: "late", conversation_id: "c-1", payload: { said: CANARY } });

test("Security: what one replica erases takes no events at another, which forgets what it has in memory", () =>
  withTwo(async ({ storage, filesWith }, other) => {
    await other.log.append(everything("c-1"));
    const told = async () => JSON.stringify(await other.events.since(0, { limit: 999 }));
    expect(await told()).toContain(CANARY);
    const { id } = await storage.erasures.add({ ...asked, id: "erasure-0123456789ab" });
    expect(await other.erasures.unfinished()).toMatchObject([{ id }]);
    expect(await storage.erasures.find(id)).toBe("found");
    expect(await storage.erasures.close(id)).toEqual([]);
    await expect(other.log.append([late])).rejects.toThrow("is being erased");
    await storage.erasures.erase(id);
    await expect.poll(told).not.toContain(CANARY);
    expect(await storage.erasures.find(id)).toBe("nothing");
    await storage.erasures.forget(id);
    expect(await storage.erasures.compact(NEVER)).toMatchObject([{ id, phase: "finished" }]);
    expect(await filesWith(CANARY)).toEqual([]);
    expect(await other.log.append([{ ...late, payload: null }])).toMatchObject([{ duplicate: false }]);
  }));

test("Security: an erasure that a replica has begun when it ends is finished by another", () =>
  withTwo(async ({ storage, filesWith, faults }, other) => {
    await other.log.append(everything("c-1"));
    const { id } = await other.erasures.add({ ...asked, id: "erasure-0123456789ab" });
    await storage.erasures.find(id);
    await storage.erasures.close(id);
    await expect(other.erasures.find(id)).rejects.toThrow("Another replica may carry on");
    await storage.close();
    await expect.poll(() => other.replicas.isLeader()).toBe(true);
    await expect(other.log.append([late])).rejects.toThrow("is being erased");
    for (let found = await other.erasures.find(id); found === "found"; found = await other.erasures.find(id)) {
      await other.erasures.close(id);
      await other.erasures.erase(id);
    }
    await other.erasures.forget(id);
    await other.erasures.compact(NEVER);
    expect(await filesWith(CANARY)).toEqual([]);
    expect(await faults()).toEqual([]);
  }));

test("Security: what the retention of a replica that ended had not removed yet is removed by the next, and its id is free", () =>
  withTwo(async ({ storage, url, openReplica, faults }) => {
    await storage.log.append(newEvents("old", 2_500));
    const database = openDatabase(url, () => undefined);
    await database.run("DELETE FROM conversations WHERE id = 'old'");
    await database.run("DELETE FROM event_search");
    await database.run("INSERT INTO unfinished_forks (conversation_id, position, owner) VALUES ('old', 1, 1)");
    await database.run("INSERT INTO closed_conversations (conversation_id, closed_for) VALUES ('old', 'retention')");
    await expect(storage.log.append(newEvents("old", 1))).rejects.toThrow("is being erased");
    const next = await openReplica();
    expect(await database.rows("SELECT 1 FROM events WHERE conversation_id = 'old'")).toEqual([]);
    expect(await next.log.append([newEvent({ id: "new", conversation_id: "old" })])).toMatchObject([{ seq: 1 }]);
    expect(await faults()).toEqual([]);
    await next.close();
    await database.close();
  }));

test("Security: a case that another replica is storing when its conversation is closed is found by the erasure", () =>
  withTwo(async ({ storage, url, filesWith }, other) => {
    await other.log.append(everything("c-1"));
    const database = openDatabase(url, () => undefined, 2);
    const epoch = await other.suites.epoch();
    const [locked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waits = (lock: string) =>
      expect.poll(() => database.rows(`SELECT 1 FROM pg_locks WHERE NOT granted AND ${lock}`)).not.toEqual([]);
    const held = database.transaction(true, async (queries) => {
      await queries.run("LOCK TABLE suites IN EXCLUSIVE MODE");
      locked.resolve();
      await letGo.promise;
    });
    await locked.promise;
    const content = JSON.stringify({ said: CANARY });
    const saved = {
      ...{ id: "c-1:0", title: "Case", tags: [], conversation_id: "c-1", calls: 0 },
      content,
      tools: [],
      users: [],
    };
    const added = other.suites.addCase("refunds", saved, "operator:anna", { epoch, suites: 9, cases: 9 });
    await waits("relation = 'suites'::regclass");
    const { id } = await storage.erasures.add({ ...asked, id: "erasure-0123456789ab" });
    await storage.erasures.find(id);
    await storage.erasures.close(id);
    const erased = storage.erasures.erase(id);
    await waits("locktype = 'advisory'");
    letGo.resolve();
    await held;
    expect(await added).toBe("added");
    await erased;
    await storage.erasures.forget(id);
    await storage.erasures.compact(NEVER);
    expect(await other.suites.cases("refunds")).toEqual([]);
    expect(await filesWith(CANARY)).toEqual([]);
    await database.close();
  }));
