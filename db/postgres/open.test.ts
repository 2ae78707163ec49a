import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { openDatabase } from "./database.ts";
import { openError } from "./errors.ts";
import { openPostgres } from "./open.ts";
import { urlOf } from "./testing/databases.ts";
import { emptyDatabase, postgresSubject } from "./testing/subject.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "obelus-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

const open = (url: string, secret: Uint8Array | null = null) =>
  openPostgres({
    ...{ url, dataDir, secret, durability: "normal" as const, onCommit: () => undefined },
    logger: { warn: () => undefined, error: () => undefined },
  });

async function asAdministrator(...statements: string[]): Promise<void> {
  const database = openDatabase(inject("postgres"), () => undefined);
  for (const statement of statements) await database.run(statement);
  await database.close();
}

test.each([
  ["nothing listens", "postgres://obelus:secret@127.0.0.1:1/obelus", "127.0.0.1:1 cannot be reached (ECONNREFUSED)"],
  [
    "there is no such host",
    "postgres://obelus:secret@nowhere.invalid/obelus",
    "nowhere.invalid:5432 cannot be reached",
  ],
])("says in a sentence, and without the password, that %s", async (_, url, sentence) => {
  const opening = open(url);
  await expect(opening).rejects.toMatchObject({ code: "data_refused", message: expect.stringContaining(sentence) });
  await expect(opening).rejects.not.toThrow("secret");
});

test("says how to trust the certificate of Postgres", () => {
  const error = Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  expect(openError(error, "postgres://obelus:secret@db.example.org/obelus")?.message).toBe(
    "The certificate of Postgres at db.example.org:5432 is not trusted (self-signed certificate); name that of its authority in OBELUS_DATABASE_URL: ?sslmode=verify-full&sslrootcert=/path/to/ca.crt",
  );
});

test("says which database is missing, and who lacks which right", async () => {
  await expect(open(urlOf(inject("postgres"), "missing"))).rejects.toThrow("has no database missing; create it with");
  const name = `guest_${randomUUID().replaceAll("-", "")}`;
  await asAdministrator(`CREATE ROLE ${name} LOGIN`, `CREATE DATABASE ${name}`);
  const url = new URL(urlOf(inject("postgres"), name));
  url.username = name;
  await expect(open(url.href)).rejects.toThrow(`${name} lacks a right in the database ${name}`);
  url.username = "nobody";
  await expect(open(url.href)).rejects.toThrow("does not let nobody in");
  await asAdministrator(`DROP DATABASE ${name}`, `DROP ROLE ${name}`);
});

test("refuses another secret than the one that a database was first used with", async () => {
  const { url, dispose } = await emptyDatabase();
  const [secret, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  await (await open(url, secret)).close();
  await expect(open(url, other)).rejects.toMatchObject({
    ...{ code: "data_refused", message: expect.stringContaining("OBELUS_SECRET is not the one that this database") },
  });
  await (await open(url, secret)).close();
  await dispose();
});

test("refuses a database whose encoding cannot store every text", async () => {
  const name = `latin_${randomUUID().replaceAll("-", "")}`;
  await asAdministrator(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
  await expect(open(urlOf(inject("postgres"), name))).rejects.toThrow("has the encoding LATIN1; create it again with");
  await asAdministrator(`DROP DATABASE ${name}`);
});

test("two replicas cannot share a data directory, as each empties its temporary files", async () => {
  const subject = await postgresSubject();
  const storage = await open(subject.url);
  await expect(open(subject.url)).rejects.toMatchObject({ code: "data_dir_locked" });
  await storage.close();
  await (await open(subject.url)).close();
  await subject.dispose();
});

test("what is asked while Postgres is away is answered with an error that says so, and works again afterwards", async () => {
  const subject = await postgresSubject();
  const name = new URL(subject.url).pathname.slice(1);
  const { events } = subject.storage;
  await events.head();
  await asAdministrator(
    `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  await expect(events.head()).rejects.toMatchObject({ code: "storage_unreachable" });
  await asAdministrator(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
  // Ended connections that nobody has used since are found one by one.
  await expect.poll(() => events.head().catch(() => null)).toBe(0);
  await subject.dispose();
});

test("what is asked over a connection that is being closed could not be stored either", async () => {
  const database = openDatabase(inject("postgres"), () => undefined, 1);
  const session = await database.connect();
  const closing = session.close();
  await expect(session.rows("SELECT 1")).rejects.toMatchObject({ code: "storage_unreachable" });
  await closing;
  await database.close();
});

test("a column that a newer version adds to a table disturbs no replica that was there before", async () => {
  const subject = await postgresSubject();
  const { storage } = subject;
  await storage.erasures.add({ id: "e", kind: "user", target: "anna", reason: null, receipt: "r", requested_by: "o" });
  await storage.audit.append({ action: "user.removed", target: "user:anna" }, null);
  const looks = async () => {
    // Each connection has prepared its statements.
    for (let time = 0; time < 20; time += 1)
      await Promise.all([
        storage.erasures.list(5),
        storage.audit.list({ limit: 5 }),
        storage.conversations.list({ limit: 5 }),
      ]);
    return { erasures: await storage.erasures.list(5), audit: await storage.audit.list({ limit: 5 }) };
  };
  const before = await looks();
  const newer = openDatabase(subject.url, () => undefined, 1);
  const tables = await newer.rows<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  for (const { name } of tables) await newer.run(`ALTER TABLE "${name}" ADD COLUMN newer text`);
  await newer.close();
  expect(await looks()).toEqual(before);
  await subject.dispose();
});
