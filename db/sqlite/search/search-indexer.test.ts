import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newEvent, searched } from "../../contract/subject.ts";
import { openForReading, openForWriting } from "../connection.ts";
import { DATABASE_FILE } from "../open.ts";
import { type SqliteSubject, sqliteSubject } from "../testing/subject.ts";

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
});
afterEach(() => subject.dispose());

/** `count` events of a conversation with `word`. */
const saying = (word: string, count: number) =>
  Array.from({ length: count }, (_, n) => newEvent({ id: `${word}-${n}`, conversation_id: word, payload: word }));

const steps = async (word: string) => {
  const { items } = await searched(subject.storage.conversations, { q: word, limit: 9 });
  return items.map(({ id, hit }) => [id, hit?.seq]);
};

/** The number of indexed steps. */
function indexed(): unknown {
  const connection = openForReading(join(subject.dataDir, DATABASE_FILE));
  const count = connection.prepare("SELECT count(*) FROM event_search").pluck().get();
  connection.close();
  return count;
}

test("E14: indexing continues after a restart, and each step is indexed once", async () => {
  await subject.storage.log.append(saying("needle", 2_500));
  // Closes it before everything is indexed.
  await subject.reopen();
  await subject.storage.log.append(saying("thread", 2));
  expect(await steps("needle")).toEqual([["needle", 2_500]]);
  expect(await steps("thread")).toEqual([["thread", 2]]);
  expect(indexed()).toBe(2_502);
});

test("E14: a search returns how many events are not indexed", async () => {
  await subject.storage.log.append(saying("needle", 3));
  await steps("needle");
  await subject.storage.close();
  const connection = openForWriting(join(subject.dataDir, DATABASE_FILE), "normal");
  connection.exec("UPDATE search_progress SET position = 1");
  // From now on indexing fails.
  connection.exec("CREATE TRIGGER full BEFORE UPDATE ON search_progress BEGIN SELECT raise(ABORT, 'full'); END");
  connection.close();
  await subject.reopen();
  expect(await subject.storage.conversations.list({ q: "absent", limit: 9 })).toEqual({
    ...{ items: [], next: null, prev: null },
    behind: 2,
  });
  await expect.poll(() => subject.logged).toContain("Search indexing failed");
});

test("E14: texts can be deleted from the index, without remains of their words", async () => {
  await subject.storage.log.append([...saying("private", 600), ...saying("public", 600)]);
  await steps("public");
  await subject.storage.close();
  const connection = openForWriting(join(subject.dataDir, DATABASE_FILE), "normal");
  connection.exec(
    "DELETE FROM event_search WHERE rowid IN (SELECT rowid FROM event_search WHERE event_search MATCH 'private')",
  );
  connection.exec("INSERT INTO event_search (event_search) VALUES ('optimize')");
  connection.exec("CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'event_search', 'row')");
  expect(connection.prepare("SELECT term, doc FROM words").all()).toEqual([{ term: "public", doc: 600 }]);
  connection.close();
});
