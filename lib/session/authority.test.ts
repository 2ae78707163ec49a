import { expect, test } from "vitest";
import { demandOf } from "./authority.ts";

test.each(["ag-ui:thread:run:1", "otlp:0af7651916cd43dd8448eb211c80319c:b7ad6b7169203331:call.started"])(
  "nobody who may only ingest takes the id %s before what it belongs to is told",
  (id) => {
    const event = { id: "e", conversation_id: "c", type: "log", actor: null, payload: {} };
    expect(demandOf({ ...event, id }).authority).toBe("decide");
    expect(demandOf({ ...event, id, isDerived: true }).authority).toBe("ingest");
    expect(demandOf({ ...event, payload: { message_id: id } }).authority).toBe("decide");
    // Later events of such a run or session are recorded as any others.
    expect(demandOf({ ...event, conversation_id: id }).authority).toBe("ingest");
  },
);

test.each([
  ["web", "telegram:42", "operate"],
  ["web", "fork:c:bob", "operate"],
  ["telegram:42", "telegram:42", "decide"],
  ["web", "bob", "ingest"],
])("in %s the user %s asks for %s: agents work with that user's memory", (conversation_id, user_id, authority) => {
  for (const type of ["conversation.created", "message.created"])
    expect(demandOf({ id: "e", conversation_id, type, actor: null, payload: { user_id } }).authority).toBe(authority);
});
