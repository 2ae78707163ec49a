import { expect, test } from "vitest";
import { demandOf } from "./authority.ts";

test.each([
  ["web", "telegram:42", "operate"],
  ["web", "fork:c:bob", "operate"],
  ["telegram:42", "telegram:42", "decide"],
  ["web", "bob", "ingest"],
])("in %s the user %s asks for %s: agents work with that user's memory", (conversation_id, user_id, authority) => {
  for (const type of ["conversation.created", "message.created"])
    expect(demandOf({ id: "e", conversation_id, type, actor: null, payload: { user_id } }).authority).toBe(authority);
});
