import { expect, inject, test } from "vitest";
import { newEvent, newEvents } from "../../contract/subject.ts";
import { Tail } from "../../log/tail.ts";
import type { Storage } from "../../storage.ts";
import { type Database, openDatabase } from "../database.ts";
import { Channel } from "../replicas/channel.ts";
import { postgresSubject } from "../testing/subject.ts";
import { LogFollower } from "./follower.ts";

/** Reads the log to its end again and again, as a stream does, until it has so many events. */
async function follow({ events }: Pick<Storage, "events">, count: number): Promise<number[]> {
  const seen: number[] = [];
  await expect
    .poll(
      async () => {
        const page = await events.since(seen.at(-1) ?? 0, { limit: 50 });
        seen.push(...page.map(({ position }) => position));
        return seen.length;
      },
      { interval: 1 },
    )
    .toBe(count);
  return seen;
}

test("of two replicas that append at once, those who follow either see each event once, and never pass over one", async () => {
  const subject = await postgresSubject();
  const other = await subject.openReplica();
  try {
    const rounds = Array.from({ length: 30 }, (_, round) => round);
    const append = (storage: Pick<Storage, "log">, name: string) =>
      Promise.all(
        rounds.map((round) => storage.log.append([newEvent({ id: `${name}${round}`, conversation_id: "shared" })])),
      );
    const following = [follow(subject.storage, 60), follow(other, 60)];
    await Promise.all([append(subject.storage, "a"), append(other, "b")]);
    const all = Array.from({ length: 60 }, (_, index) => index + 1);
    expect(await Promise.all(following)).toEqual([all, all]);
    const steps = await other.events.list("shared", { after: 0, limit: 99 });
    expect(steps.map(({ seq }) => seq)).toEqual(all);
    expect(await subject.storage.conversations.get("shared")).toMatchObject({ event_count: 60 });
  } finally {
    await other.close();
    await subject.dispose();
  }
});

test("a replica is told of what another has appended", async () => {
  const subject = await postgresSubject();
  const other = await subject.openReplica();
  try {
    await other.log.append(newEvents("c", 2));
    await expect.poll(() => subject.commits).toEqual([2]);
    expect(await subject.storage.events.since(0, { limit: 9 })).toHaveLength(2);
    await subject.storage.log.append(newEvents("d", 1));
    expect((await subject.storage.events.since(0, { limit: 9 })).map(({ id }) => id)).toEqual(["c-1", "c-2", "d-1"]);
  } finally {
    await other.close();
    await subject.dispose();
  }
});

test("while nobody reads the log at a replica, it hears of what others append only what it listens to", async () => {
  const subject = await postgresSubject();
  const other = await subject.openReplica();
  const heard: string[] = [];
  let types: string[] = ["log"];
  try {
    other.replicas.follow(
      () => types,
      (events) => heard.push(...events.map(({ id }) => id)),
    );
    const append = (storage: Pick<Storage, "log">, id: string, type: string) =>
      storage.log.append([newEvent({ id, type })]);
    await append(subject.storage, "1", "log");
    await append(subject.storage, "2", "made.up");
    await append(other, "3", "made.up");
    await append(subject.storage, "4", "log");
    await expect.poll(() => heard).toEqual(["1", "4"]);
    types = [];
    await append(subject.storage, "5", "log");
    await append(other, "6", "log");
    // What it has passed over is read where it is asked for; from then on all is read.
    const read = async () => (await other.events.since(0, { limit: 9 })).map(({ id }) => id);
    expect(await read()).toEqual(["1", "2", "3", "4", "5", "6"]);
    await append(subject.storage, "7", "made.up");
    await expect.poll(() => other.events.recent(6, { limit: 9 })?.map(({ id }) => id)).toEqual(["7"]);
    expect(await read()).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  } finally {
    await other.close();
    await subject.dispose();
  }
});

test("what others append while a replica passes over the log, before a commit of its own, is heard as well", async () => {
  const subject = await postgresSubject();
  const database = openDatabase(subject.url, () => undefined, 3);
  const logger = { warn: () => undefined, error: () => undefined };
  const [reading, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // The end of the log is known by then.
  const slow: Database = {
    ...database,
    async rows(text, values) {
      if (text.includes("type = ANY")) {
        reading.resolve();
        await goOn.promise;
      }
      return database.rows(text, values);
    },
  };
  const channel = new Channel(database, "here", logger);
  const follower = new LogFollower(slow, channel, new Tail(0), 0, { told: () => undefined, logger });
  const heard: string[] = [];
  follower.follow(
    () => ["made.up"],
    (events) => heard.push(...events.map(({ id }) => id)),
  );
  try {
    const append = (id: string, type: string) => subject.storage.log.append([newEvent({ id, type })]);
    await append("1", "made.up");
    await reading.promise;
    await append("2", "made.up");
    await append("own", "log");
    const [event] = await subject.storage.events.since(2, { limit: 1 });
    follower.take({ recorded: event ? [{ event, size: 2 }] : [], head: 3, grew: true });
    goOn.resolve();
    await expect.poll(() => heard).toEqual(["1", "2"]);
  } finally {
    goOn.resolve();
    await follower.stop();
    await channel.stop();
    await database.close();
    await subject.dispose();
  }
});

test("what was appended without any notice is seen all the same", async () => {
  const subject = await postgresSubject();
  const database = openDatabase(subject.url, () => undefined, 1);
  try {
    await subject.storage.log.append(newEvents("c", 1));
    await database.run(
      `INSERT INTO events (position, id, conversation_id, seq, type, error, recorded_at, payload)
       SELECT 2, 'c-2', conversation_id, 2, type, error, recorded_at, payload FROM events WHERE position = 1`,
    );
    await expect.poll(() => subject.commits, { timeout: 10_000 }).toEqual([1, 2]);
    expect((await subject.storage.events.since(1, { limit: 9 })).map(({ id }) => id)).toEqual(["c-2"]);
  } finally {
    await database.close();
    await subject.dispose();
  }
});

test("what a replica has stored of a fork when it ends is removed by another, and never a living one's", async () => {
  const subject = await postgresSubject();
  const other = await subject.openReplica();
  const database = openDatabase(subject.url, () => undefined, 1);
  try {
    await subject.storage.log.append(newEvents("c", 3));
    const [living] = await database.rows<{ owner: number }>(
      `SELECT ((classid::bigint << 32) | objid::bigint) AS owner FROM pg_locks JOIN pg_database ON pg_database.oid = database
       WHERE datname = current_database() AND locktype = 'advisory' AND classid > 0 LIMIT 1`,
    );
    const history = (id: string, position: number, owner: number) =>
      Promise.all([
        database.run("INSERT INTO unfinished_forks (conversation_id, position, owner) VALUES ($1, $2, $3)", [
          ...[id, position, owner],
        ]),
        database.run(
          `INSERT INTO events (position, id, conversation_id, seq, type, error, recorded_at, payload)
           SELECT $2, $1 || '-1', $1, 1, type, error, recorded_at, payload FROM events WHERE position = 1`,
          [id, position],
        ),
      ]);
    await history("of-a-dead-one", -10, 1);
    await history("of-a-living-one", -20, living?.owner ?? 0);
    const stored = async (id: string) =>
      (await database.rows("SELECT 1 FROM events WHERE conversation_id = $1", [id])).length;
    // Replicas look every ten seconds, and when they start.
    const third = await subject.openReplica();
    await expect.poll(() => stored("of-a-dead-one"), { timeout: 20_000 }).toBe(0);
    expect(await stored("of-a-living-one")).toBe(1);
    await third.close();
  } finally {
    await database.close();
    await other.close();
    await subject.dispose();
  }
});

test("of two replicas that decide at once, one decision counts", async () => {
  const subject = await postgresSubject();
  const other = await subject.openReplica();
  try {
    const payload = { confirmation_id: "k", key: "k", action: { method: "pay", params: {} } };
    await subject.storage.log.append([newEvent({ id: "asked", type: "confirmation.requested", payload })]);
    const decide = (storage: Pick<Storage, "log">, actor: string) =>
      storage.log.decide({
        ...{ confirmationId: "k", status: "approved", reason: null, action: null, result: undefined },
        ...{ actor, requestedSeq: 1 },
      });
    const outcomes = await Promise.all([decide(subject.storage, "operator:a"), decide(other, "operator:b")]);
    expect(outcomes.map((outcome) => outcome?.counted).sort()).toEqual([false, true]);
    expect(outcomes[0]?.confirmation.decided_by).toBe(outcomes[1]?.confirmation.decided_by);
  } finally {
    await other.close();
    await subject.dispose();
  }
});

test("a replica that starts removes nothing of an import that another one stores", async () => {
  const subject = await postgresSubject();
  try {
    const begun = Promise.withResolvers<void>();
    const importing = subject.storage.log.importConversations(
      (async function* () {
        yield { conversation_id: "c", events: newEvents("c", 3_000) };
      })(),
      new AbortController().signal,
      ({ stored }) => stored > 0 && begun.resolve(),
    );
    await begun.promise;
    const other = await subject.openReplica();
    expect(await importing).toMatchObject([{ created: true, events: 3_000 }]);
    expect(await other.conversations.get("c")).toMatchObject({ event_count: 3_000 });
    await other.close();
  } finally {
    await subject.dispose();
  }
});

/** An import of several pages. */
async function* pagesOf(id: string) {
  yield { conversation_id: id, events: newEvents(id, 1_000) };
  yield { conversation_id: `${id}-2`, events: newEvents(`${id}-2`, 1_000) };
}

/** One that takes long enough to be interrupted. */
async function* manyPages() {
  for (let count = 0; count < 40; count += 1)
    yield { conversation_id: `c${count}`, events: newEvents(`c${count}`, 500) };
}

test("imports at two replicas are stored one after the other, and both are whole", async () => {
  const subject = await postgresSubject();
  const other = await subject.openReplica();
  try {
    const never = new AbortController().signal;
    const imported = await Promise.all([
      subject.storage.log.importConversations(pagesOf("a"), never),
      other.log.importConversations(pagesOf("b"), never),
      other.log.importConversations(pagesOf("c"), never),
      ...["d", "e"].map((id) =>
        subject.storage.log.importConversations(
          (async function* () {
            yield { conversation_id: id, events: newEvents(id, 3) };
          })(),
          never,
        ),
      ),
    ]);
    expect(imported.flat().every(({ created }) => created)).toBe(true);
    expect(await subject.storage.events.head()).toBe(await other.events.head());
    for (const id of ["a", "a-2", "b", "b-2", "c", "c-2"])
      expect(await subject.storage.conversations.get(id)).toMatchObject({ event_count: 1_000 });
    const positions = await Promise.all(
      ["a", "b", "c"].map(async (id) => {
        const [first] = await other.events.list(id, { after: 0, limit: 1 });
        const [last] = await other.events.list(`${id}-2`, { after: 999, limit: 1 });
        return [first?.position ?? 0, last?.position ?? 0] as const;
      }),
    );
    const inOrder = positions.sort(([one], [two]) => one - two);
    for (const [index, [, last]] of inOrder.entries())
      expect(inOrder[index + 1]?.[0] ?? last + 1).toBeGreaterThan(last);
  } finally {
    await other.close();
    await subject.dispose();
  }
});

test("an import whose replica was believed to have ended is removed by another, and fails without leaving anything", async () => {
  const subject = await postgresSubject();
  const other = await subject.openReplica();
  try {
    const begun = Promise.withResolvers<void>();
    const importing = subject.storage.log.importConversations(
      manyPages(),
      new AbortController().signal,
      ({ stored }) => stored > 0 && begun.resolve(),
    );
    await begun.promise;
    // As if its connection were lost: nobody holds the lock of this owner.
    const database = openDatabase(subject.url, () => undefined);
    await database.run("UPDATE unfinished_forks SET owner = 1");
    await expect(importing).rejects.toThrow("removed meanwhile");
    const second = other.log.importConversations(pagesOf("a"), new AbortController().signal).catch(() => undefined);
    await other.close();
    await second;
    const third = await subject.openReplica();
    await third.log.importConversations(pagesOf("b"), new AbortController().signal);
    expect(await third.conversations.get("c0")).toBeNull();
    const [rest] = await database.rows<{ count: number }>(
      "SELECT count(*) FROM events WHERE conversation_id LIKE 'c%' OR conversation_id LIKE 'a%'",
    );
    expect(rest?.count).toBe(0);
    await third.close();
    await database.close();
  } finally {
    await subject.dispose();
  }
});

test("an import that was cut off from Postgres is removed when that is back, though its replica lives, and others go on", async () => {
  const subject = await postgresSubject();
  const other = await subject.openReplica();
  const server = openDatabase(inject("postgres"), () => undefined);
  const name = new URL(subject.url).pathname.slice(1);
  try {
    const never = new AbortController().signal;
    const begun = Promise.withResolvers<void>();
    const importing = subject.storage.log.importConversations(manyPages(), never, ({ stored }) => {
      if (stored > 0) begun.resolve();
    });
    const cutOff = expect(importing).rejects.toThrow();
    await begun.promise;
    await server.run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
    await cutOff;
    await server.run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await expect
      .poll(() =>
        subject.storage.log.append(newEvents("back", 1)).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    expect(await other.log.importConversations(pagesOf("b"), never)).toMatchObject([
      { events: 1_000 },
      { events: 1_000 },
    ]);
    expect(await other.events.list("c0", { after: 0, limit: 1 })).toEqual([]);
  } finally {
    await other.close();
    await server.close();
    await subject.dispose();
  }
});
