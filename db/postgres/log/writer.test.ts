import { expect, test } from "vitest";
import { newEvent } from "../../contract/subject.ts";
import { AS_IT_COMES } from "../../payload/stored-payload.ts";
import { type Database, openDatabase } from "../database.ts";
import { emptyDatabase } from "../testing/subject.ts";
import { PostgresWriter } from "./writer.ts";

test("E13: what has to be on disk shares no transaction with what need not be", async () => {
  const empty = await emptyDatabase();
  const database = openDatabase(empty.url, () => undefined, 1);
  const commits: { events: number; synced: string }[] = [];
  let synced = "";
  const listened: Database = {
    ...database,
    async connect(patienceMs) {
      const session = await database.connect(patienceMs);
      return {
        ...session,
        run(text, values) {
          synced = /synchronous_commit = (\w+)/.exec(text)?.[1] ?? synced;
          return session.run(text, values);
        },
      };
    },
  };
  const writer = new PostgresWriter(listened, "full", AS_IT_COMES, ({ recorded }) =>
    commits.push({ events: recorded.length, synced }),
  );
  try {
    await writer.connect();
    const part = (id: string) => writer.submitPart((transaction) => transaction.append(newEvent({ id }), "program"));
    const whole = (id: string) => writer.submit((transaction) => transaction.append(newEvent({ id }), "program"));
    await Promise.all([part("a"), whole("b"), part("c")]);
    await Promise.all([part("d"), part("e")]);
    expect(commits).toEqual([
      { events: 1, synced: "off" },
      { events: 1, synced: "on" },
      { events: 1, synced: "off" },
      { events: 2, synced: "off" },
    ]);
  } finally {
    await writer.close();
    await database.close();
    await empty.dispose();
  }
});
