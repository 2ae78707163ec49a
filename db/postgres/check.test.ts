import { expect, test } from "vitest";
import { everything } from "../contract/log/erasures.ts";
import { newEvents, newMessage, searched } from "../contract/subject.ts";
import { checkPostgres } from "./check.ts";
import { openDatabase } from "./database.ts";
import { type PostgresSubject, postgresSubject } from "./testing/subject.ts";

const quiet = { allSnapshots: true, onProgress: () => undefined, onChecked: () => undefined };

async function withData(work: (subject: PostgresSubject) => Promise<void>): Promise<void> {
  const subject = await postgresSubject();
  try {
    const { log, conversations, sessions } = subject.storage;
    await log.append(everything("c-1"));
    await log.append([newMessage("m", "hello there"), ...newEvents("long", 600)]);
    await sessions.view("long", null);
    await searched(conversations, { q: "hello", limit: 1 });
    await work(subject);
  } finally {
    await subject.dispose();
  }
}

/** Which checks find faults. */
async function failing(url: string): Promise<string[]> {
  return (await checkPostgres({ url, ...quiet })).filter(({ ok }) => !ok).map(({ name }) => name);
}

test("a whole database has no faults, also while it is written to", () =>
  withData(async ({ url, storage }) => {
    let isChecked = false;
    const writing = (async () => {
      for (let index = 0; !isChecked; index += 1) await storage.log.append(newEvents(`more-${index}`, 3));
    })();
    const checked = await checkPostgres({ url, ...quiet }).finally(() => {
      isChecked = true;
    });
    await writing;
    expect(checked.filter(({ ok }) => !ok)).toEqual([]);
    expect(checked.map(({ name }) => name)).toEqual(
      ["log", "json", "links", "audit", "projections", "snapshots"].concat("search"),
    );
  }));

test.each([
  ["a missing step", "DELETE FROM events WHERE conversation_id = 'long' AND seq = 300", ["log", "projections"]],
  ["a payload that is no JSON", "UPDATE events SET payload = '{' WHERE conversation_id = 'long' AND seq = 7", ["json"]],
  ["another message", `UPDATE messages SET content = '"other"' WHERE id = 'm'`, ["projections"]],
  ["another status", "UPDATE conversations SET status = 'failed' WHERE id = 'long'", ["projections"]],
  ["words that are missing in the search", "DELETE FROM event_search WHERE words @@ 'hello'::tsquery", ["search"]],
  ["other words in the search", "UPDATE event_search SET words = 'bye:1' WHERE words @@ 'hello'::tsquery", ["search"]],
  ["other words of a title", "UPDATE conversations SET title_words = 'x:1' WHERE id = 'long'", ["search"]],
  ["a message without its event", "DELETE FROM events WHERE id = 'm'", ["links"]],
])("%s is found", (_, damage, expected) =>
  withData(async ({ url }) => {
    const database = openDatabase(url, () => undefined);
    await database.run(damage);
    await database.close();
    expect(await failing(url)).toEqual(expect.arrayContaining(expected));
  }),
);
