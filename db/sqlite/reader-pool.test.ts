import { afterEach, beforeEach, expect, test } from "vitest";
import { newMessage } from "../contract/subject.ts";
import { type SqliteSubject, sqliteSubject } from "./testing/subject.ts";

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
});
afterEach(() => subject.dispose());

test("calls that take long leave a thread to those that do not", async () => {
  const { log, sessions } = subject.storage;
  const said = Array.from({ length: 5_000 }, (_, index) =>
    newMessage(`long-${index}`, "", { conversation_id: "long" }),
  );
  await log.append([...said, newMessage("short", "", { conversation_id: "short" })]);
  const order: string[] = [];
  const asked = Array.from({ length: 6 }, () => sessions.timeline("long", 0).then(() => order.push("timeline")));
  await Promise.all([...asked, sessions.view("short", null).then(() => order.push("view"))]);
  expect(order.at(-1)).toBe("timeline");
  expect(order.slice(0, 4)).toContain("view");
});
