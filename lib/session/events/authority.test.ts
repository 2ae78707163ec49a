import { expect, test } from "vitest";
import { claimedId, demandOf } from "./authority.ts";

test.each(["ag-ui:thread:run:1", "otlp:0af7651916cd43dd8448eb211c80319c:b7ad6b7169203331:call.started"])(
  "nobody takes the id %s before what it belongs to is told; an import has it, of who may decide",
  (id) => {
    const event = { id: "e", conversation_id: "c", type: "log", actor: null, payload: {} };
    expect(demandOf({ ...event, id }).authority).toBe("decide");
    expect(demandOf({ ...event, id, isDerived: true }).authority).toBe("ingest");
    expect(demandOf({ ...event, payload: { message_id: id } }).authority).toBe("decide");
    expect(
      [
        { ...event, id },
        { ...event, payload: { message_id: id } },
      ].map(claimedId),
    ).toEqual([id, id]);
    expect([event, { ...event, id, isDerived: true }].map(claimedId)).toEqual([null, null]);
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
