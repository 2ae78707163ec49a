import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import type { Storage } from "../../storage.ts";
import { openDatabase } from "../database.ts";
import { LOCKS } from "../locks.ts";
import { type PostgresSubject, postgresSubject } from "../testing/subject.ts";

let subject: PostgresSubject;
let other: Storage;
beforeEach(async () => {
  subject = await postgresSubject();
  other = await subject.openReplica();
});
afterEach(async () => {
  await other.close();
  await subject.dispose();
});

/** A task that notes when it is done and when it is not. */
function noting(name: string, notes: string[]) {
  return {
    start: async () => void notes.push(`${name} starts`),
    stop: async () => void notes.push(`${name} stops`),
  };
}

test("one replica does what is done once, and another one when it has ended", async () => {
  const notes: string[] = [];
  await subject.storage.replicas.asLeader(noting("a", notes));
  await other.replicas.asLeader(noting("b", notes));
  expect(notes).toEqual(["a starts"]);
  await subject.storage.close();
  await expect.poll(() => notes).toEqual(["a starts", "a stops", "b starts"]);
});

test("a replica whose connection is lost stops before another one starts, and none is left without", async () => {
  const notes: string[] = [];
  await subject.storage.replicas.asLeader(noting("a", notes));
  await other.replicas.asLeader(noting("b", notes));
  const main = openDatabase(inject("postgres"), () => undefined, 1);
  const killed = await main.rows(
    `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON oid = database
     WHERE locktype = 'advisory' AND objid = $1 AND granted AND datname = $2`,
    [LOCKS.leader, new URL(subject.url).pathname.slice(1)],
  );
  await main.close();
  expect(killed).toHaveLength(1);
  await expect.poll(() => notes.length).toBe(3);
  expect(notes.slice(0, 2)).toEqual(["a starts", "a stops"]);
});

test("a replica that was frozen does not count on being the leader before it has asked, and erases nothing", async () => {
  const { replicas, erasures } = subject.storage;
  await replicas.asLeader(noting("a", []));
  expect([replicas.isLeader(), other.replicas.isLeader()]).toEqual([true, false]);
  await erasures.add({ id: "e", kind: "user", target: "anna", reason: null, receipt: "r", requested_by: "o" });
  const now = performance.now.bind(performance);
  const woken = vi.spyOn(performance, "now").mockImplementation(() => now() + 15_000);
  expect(replicas.isLeader()).toBe(false);
  await expect(erasures.forget("e")).rejects.toThrow("Another replica may carry on the erasures");
  woken.mockRestore();
  expect(await erasures.get("e")).toMatchObject({ target: "anna" });
  await expect.poll(() => replicas.isLeader()).toBe(true);
});

test("what was sent is not forgotten when a replica that was overtaken tells its own, older place", async () => {
  const { telegram } = subject.storage;
  await telegram.follow("telegram:1");
  await telegram.advance("telegram:1", { position: 7, parts: 0 });
  await other.telegram.advance("telegram:1", { position: 5, parts: 2 });
  expect(await telegram.progress("telegram:1")).toEqual({ position: 7, parts: 0 });
  await other.telegram.advance("telegram:1", { position: 7, parts: 1 });
  expect(await telegram.progress("telegram:1")).toEqual({ position: 7, parts: 1 });
});

test("what one replica appends is found by a search at another one", async () => {
  const payload = { message_id: "m", role: "user", content: "a red kettle" };
  const event = { conversation_id: "c", type: "message.created", actor: null, agent_id: null, run_id: null };
  await other.log.append([{ ...event, id: "1", parent_run_id: null, caused_by: null, occurred_at: null, payload }]);
  await expect
    .poll(async () => (await subject.storage.conversations.list({ q: "kettle", limit: 5 })).items.length)
    .toBe(1);
});

test("what one replica tells is heard by the others, not by itself; what others append is told in order", async () => {
  const heard: string[] = [];
  const seen: number[] = [];
  subject.storage.replicas.hear("drafts", (text) => heard.push(`own ${text}`));
  other.replicas.hear("drafts", (text) => heard.push(text));
  other.replicas.follow(
    () => ["log"],
    (events) => seen.push(...events.map(({ position }) => position)),
  );
  const append = (id: string, by: Storage) =>
    by.log.append([
      {
        ...{ id, conversation_id: "c", type: "log", actor: null, agent_id: null, run_id: null },
        ...{ parent_run_id: null, caused_by: null, occurred_at: null, payload: {} },
      },
    ]);
  await append("1", subject.storage);
  await append("2", other);
  await append("3", subject.storage);
  await expect.poll(() => seen).toEqual(expect.arrayContaining([1, 3]));
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  subject.storage.replicas.tell("drafts", "it is Ω'clock\n");
  await expect.poll(() => heard).toEqual(["it is Ω'clock\n"]);
});

test("a replica that cannot reach Postgres is not ready", async () => {
  const name = new URL(subject.url).pathname.slice(1);
  await subject.storage.replicas.ready();
  const main = openDatabase(inject("postgres"), () => undefined, 1);
  await main.run(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
  await main.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  await expect(subject.storage.replicas.ready()).rejects.toMatchObject({ code: "storage_unreachable" });
  await main.run(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
  await expect.poll(() => subject.storage.replicas.ready().then(() => "ready")).toBe("ready");
  await main.close();
});
