import { afterEach, beforeEach, expect, test } from "vitest";
import { type SqliteSubject, sqliteSubject } from "../../db/sqlite/testing/subject.ts";
import type { Json } from "../session/json/json.ts";
import { session } from "../session/testing/events.ts";
import { createRecordings } from "./recording.ts";

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
});
afterEach(() => subject.dispose());

const large = "x".repeat(20_000);

test.each<[string, Json]>([
  ["a value that is cited in the view", { large }],
  ["a value that looks like an address and is none", { $ref: "/nowhere", bytes: 5 }],
  ["the address of another conversation's value", addressIn("secret", 0)],
  ["the address of a step that there is none of", addressIn("s", 900)],
])("what a call has answered with is what is found: %s", async (_, output) => {
  const call = { call_id: "a", tool: "t", iteration: 1 };
  const told = session(
    ["run.started", {}],
    ["call.started", { ...call, params: { large } }],
    ["call.succeeded", { ...call, output }],
  );
  await subject.storage.log.append(told.map((event) => ({ ...event, conversation_id: "s" })));
  const secret = session(["call.succeeded", { ...call, output: "secret" }]);
  await subject.storage.log.append(secret.map((event) => ({ ...event, id: "other", conversation_id: "secret" })));

  const place = { call_id: "a", iteration: 1, instance: "" };
  const found = await createRecordings(subject.storage).find("s", { place, tool: "t", params: { large } });

  expect(found?.result).toEqual({ ok: true, output });
});

function addressIn(conversation: string, after: number): Json {
  return { $ref: `/api/conversations/${conversation}/events?after=${after}&limit=1#/items/0/payload/output`, bytes: 9 };
}
