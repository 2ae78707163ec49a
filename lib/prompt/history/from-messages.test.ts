import { expect, it, test } from "vitest";
import { historyMessage } from "./from-messages.ts";

const ROW = {
  id: "m1",
  role: "system",
  content: "Hi",
  name: null,
  created_at: "2026-05-01T10:00:00.000Z",
  metadata: null,
};

test("H3: a stored message is converted for the history", () => {
  expect(historyMessage({ ...ROW, role: "tool", name: "crm.deal.get", tool_call_id: "c1" })).toEqual({
    ...{ id: "m1", role: "tool", content: "Hi", name: "crm.deal.get", at: "2026-05-01T10:00:00.000Z" },
    ...{ important: false, relevant: false, call_id: "c1" },
  });
  expect(historyMessage({ role: "user", content: "" })).toMatchObject({
    id: null,
    name: null,
    at: null,
    call_id: null,
  });
  expect(historyMessage({ role: "user", content: "", user_id: "anna" }).name).toBe("anna");
  expect(historyMessage({ role: "tool", content: "", user_id: "anna" }).name).toBeNull();
  expect(historyMessage({ role: "user", content: "", at: "2026-05-01" }).at).toBe("2026-05-01");
});

it.each(["relevant", "stage_change", "instruction"])("H3: %s makes a message of the system relevant", (mark) => {
  expect(historyMessage({ ...ROW, metadata: { [mark]: true } }).relevant).toBe(true);
  for (const metadata of [{ [mark]: "true" }, { [mark]: false }, { important: true }, {}, null])
    expect(historyMessage({ ...ROW, metadata }).relevant).toBe(false);
});

test("H4: metadata can make a message important, and has a result's call", () => {
  expect(historyMessage({ ...ROW, metadata: { important: true, tool_call_id: "c1" } })).toMatchObject({
    important: true,
    call_id: "c1",
  });
  expect(historyMessage({ ...ROW, metadata: { important: 1, tool_call_id: 7 } })).toMatchObject({
    important: false,
    call_id: null,
  });
});
